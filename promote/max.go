package promote

import (
	"fmt"

	"github.com/weft-go/weft/core"
)

// The systems of MAX. Its page calls a promotion a join on a lattice, but four cells of the table
// that it prints are not joins. MAX is the lattice; MAXDocumented is the table of the page.
var (
	MAX = maxSystem("max", "MAX: the lattice", nil, maxGraph)

	MAXDocumented = maxSystem("max-documented", "MAX: the table of its page, four cells of which contradict its lattice", func() (*Algebra, error) {
		a, err := joins(maxGraph())
		if err != nil {
			return nil, err
		}
		return a.With(maxOddCells...), nil
	}, nil)
)

// maxGraph puts bf16 and tf32 above their more precise neighbours, so that neither is a result
// unless an operand has it.
func maxGraph() *Graph {
	return Chains(`
	b < i8 < i16 < i32 < i64 < f16
	b < u8 < u16 < u32 < u64 < f16
	u8 < i16; u16 < i32; u32 < i64
	index < u64; address < u64
	f16 < bf16 < f32 < tf32 < f64`)
}

// maxOddCells are the cells of MAX's page that are not joins. The last two also contradict the
// page's statement that nothing promotes to index and address.
var maxOddCells = [][3]string{
	{"b", "index", "i64"},
	{"b", "address", "i64"},
	{"i8", "index", "index"},
	{"i8", "address", "address"},
}

func maxSystem(name, about string, table func() (*Algebra, error), draw func() *Graph) *Finite {
	s := &Finite{name: name, about: about, make: table, draw: draw}
	s.way = func(a, b Type) string {
		return fmt.Sprintf("no legal promotion for (%s, %s): convert explicitly to a type that MAX has", a, b)
	}
	return s
}

// ImplicitCastType returns the smallest element type to which both may be promoted in
// MAX; an element type that MAX does not promote, such as c64, is an error.
func ImplicitCastType(lhs, rhs core.DType) (core.DType, error) {
	t, err := MAX.Join(Strong(lhs), Strong(rhs))
	return t.DType, err
}

// ImplicitCast is [ImplicitCastType] that also reports which of the operands need a cast: those
// that do not have the type yet.
func ImplicitCast(lhs, rhs core.DType) (t core.DType, castL, castR bool, err error) {
	t, err = ImplicitCastType(lhs, rhs)
	return t, err == nil && lhs != t, err == nil && rhs != t, err
}
