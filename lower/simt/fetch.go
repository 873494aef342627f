package simt

// Fetch begins to copy N elements of a buffer that is only read, from From + FromPlus on, to
// a shared array, from To + ToPlus on. Together they have 4, 8 or 16 bytes, and both addresses
// are multiples of that size. Where If is a register that is false, the array gets zeros and
// the buffer is not read. The elements are there after an [Await], for other threads after a
// barrier that follows it.
type Fetch struct {
	Array    int
	To       Reg
	ToPlus   int64
	Buffer   int
	From     Reg
	FromPlus int64
	N        int
	If       Reg // NoReg: always
}

// Commit closes the set of fetches that a thread began since the last one.
type Commit struct{}

// Await waits until all sets of fetches of the thread but the last Left are complete.
type Await struct{ Left int }

func (*Fetch) isStmt()  {}
func (*Commit) isStmt() {}
func (*Await) isStmt()  {}
