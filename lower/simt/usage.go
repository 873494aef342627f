package simt

// A Usage is a way in which a thread uses memory.
type Usage uint8

// The ways in which threads use memory.
const (
	Reads Usage = iota
	Writes
	Adds // at once with other threads that add
)

// Users records who used an element of memory with no barrier between the uses: for each usage the
// user's number, which is from 1 on, 0 for no user, −1 for several.
type Users[T int | int16 | int32] struct{ Reader, Writer, Adder T }

// Use records a use by the user with number id. It reports false, and records nothing, if another
// user wrote the element, or used it in another way and one of the two uses changes it.
func (u *Users[T]) Use(id T, how Usage) bool {
	other := func(who T) bool { return who != 0 && who != id }
	who := &u.Reader
	switch how {
	case Reads:
		if other(u.Writer) || other(u.Adder) {
			return false
		}
	case Writes:
		if other(u.Writer) || other(u.Reader) || other(u.Adder) {
			return false
		}
		who = &u.Writer
	case Adds:
		if other(u.Writer) || other(u.Reader) {
			return false
		}
		who = &u.Adder
	}
	if *who == 0 {
		*who = id
	} else if *who != id {
		*who = -1
	}
	return true
}
