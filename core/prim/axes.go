package prim

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// AxisBatcher is a primitive that names axes. The interpreter that binds one of the
// names calls BatchAxis with operands that have, where mapped, the named axis in front,
// of size n. The results have it in front where outMapped. If the operation names further
// axes, BatchAxis binds it again for these.
type AxisBatcher interface {
	core.AxisNamer
	BatchAxis(name string, n int, in []Value, mapped []bool) (out []Value, outMapped []bool)
}

// AxisSize returns the size of a named axis, which an enclosing transformation must bind.
func AxisSize(name string) int {
	for i := range core.Active() {
		if b, ok := i.(core.AxisBinder); ok {
			if n, ok := b.BindsAxis(name); ok {
				return n
			}
		}
	}
	unbound(name)
	return 0
}

func unbound(name string) {
	core.Failf(core.ErrAxis, "no axis is called %q here; give a Vmap around this call the name, or call it in a ShardMap over a mesh that has such an axis", name)
}

// Names is an immutable list of axis names.
type Names string // each name followed by a zero byte

// MakeNames returns the list of the given names.
func MakeNames(names ...string) Names {
	var b strings.Builder
	for _, n := range names {
		b.WriteString(n)
		b.WriteByte(0)
	}
	return Names(b.String())
}

// All ranges over the names.
func (n Names) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := string(n); rest != ""; {
			var name string
			if name, rest, _ = strings.Cut(rest, "\x00"); !yield(name) {
				return
			}
		}
	}
}

// without returns the list without a name. It copies nothing if that is the first or the last.
func (n Names) without(name string) Names {
	at := 0
	for s := range n.All() {
		end := at + len(s) + 1
		if s == name {
			return n[:at] + n[end:].without(name)
		}
		at = end
	}
	return n
}

// String returns the tuple of the names: ('i', 'j').
func (n Names) String() string { return NamedAxes{Names: n}.String() }

// single returns the name of a list of one name. For other lists ok is false.
func (n Names) single() (name string, ok bool) {
	name, rest, ok := strings.Cut(string(n), "\x00")
	return name, ok && rest == ""
}

func (n Names) only() string {
	name, ok := n.single()
	if !ok {
		core.Failf(core.ErrAxis, "works along one named axis at a time, got %v; apply it axis by axis", n)
	}
	return name
}

// NamedAxes are axes to reduce over: named ones, and axes of the operand.
type NamedAxes struct {
	Names     Names
	Positions core.Dims
}

// String returns the tuple of positions and names: (0, 'i').
func (a NamedAxes) String() string {
	var parts []string
	for _, p := range a.Positions.All() {
		parts = append(parts, strconv.Itoa(p))
	}
	for n := range a.Names.All() {
		parts = append(parts, rule.PyStr(n))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func readNamedAxes(r *jaxpr.ParamReader, key string) NamedAxes {
	s := r.Text(key)
	bad := func() {
		core.FailOp(core.ErrParse, "", nil, "parameter %s must be a tuple of axis names and numbers (got %q); write axes=(0, 'i')", key, s)
	}
	body, ok := strings.CutPrefix(s, "(")
	if !ok {
		if !PlainName(s) {
			bad()
		}
		return NamedAxes{Names: MakeNames(s)}
	}
	body, ok = strings.CutSuffix(body, ")")
	if !ok {
		bad()
	}
	var names []string
	var positions []int
	for f := range strings.SplitSeq(body, ",") {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		if f[0] == '\'' || f[0] == '"' {
			if len(f) < 3 || f[len(f)-1] != f[0] || !PlainName(f[1:len(f)-1]) {
				bad()
			}
			names = append(names, f[1:len(f)-1])
			continue
		}
		n, err := strconv.Atoi(f)
		if err != nil {
			bad()
		}
		positions = append(positions, n)
	}
	return NamedAxes{MakeNames(names...), core.MakeDims(positions...)}
}

// PlainName reports whether a text can be the name of an axis in the text of a program: it is not
// empty and has printable characters only, no spaces, quotes, separators or brackets.
func PlainName(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune("'\"\\,()[]{}=;", r) {
			return false
		}
	}
	return s != ""
}

// readNames reads axis names: ('i',), or a single one without quotes.
func readNames(r *jaxpr.ParamReader, key string) Names {
	a := readNamedAxes(r, key)
	if a.Positions.Len() > 0 {
		core.FailOp(core.ErrParse, "", nil, "parameter %s must contain axis names (got %v); write axis names in quotes", key, a)
	}
	return a.Names
}

// Groups divides the indices of a named axis into groups of equal size. A collective operation works
// within each group. The zero Groups is one group of all.
type Groups struct {
	Members core.Dims // the groups' members, one group after the other
	Size    int       // of each group; 0 for one group of all
}

// MakeGroups returns the division into the given groups, which must have equal sizes.
func MakeGroups(groups ...[]int) Groups {
	var all []int
	for _, g := range groups {
		if len(g) != len(groups[0]) || len(g) == 0 {
			core.Failf(core.ErrAxis, "groups along a named axis must have equal sizes (got %v); make them equal", groups)
		}
		all = append(all, g...)
	}
	if len(groups) == 0 {
		return Groups{}
	}
	return Groups{core.MakeDims(all...), len(groups[0])}
}

// String returns None or a tuple of tuples.
func (g Groups) String() string {
	if g.Size == 0 {
		return "None"
	}
	return rule.Tuples(g.Members, g.Size)
}

// of returns, for an axis of size n, the number of the group that each index is in.
func (g Groups) of(n int) []int {
	out := make([]int, n)
	if g.Members.Len() != n || !rule.Permutation(g.Members, n) {
		core.Failf(core.ErrAxis, "the groups %v must contain each index of the axis of size %d exactly once; add or remove indices", g, n)
	}
	for i, m := range g.Members.All() {
		out[m] = i / g.Size
	}
	return out
}

// gathered lists the groups' rows of an array whose leading axis is the named one: [group,
// member, …].
func (g Groups) gathered(x Value) Value {
	v := TakeRows(x, g.Members.Ints())
	s := v.Aval().Shape
	return Reshape(v, s.Slice(1, s.Len()).Prepend(s.At(0)/g.Size, g.Size))
}

func readGroups(r *jaxpr.ParamReader) Groups {
	if r.IsNone("axis_index_groups") {
		return Groups{}
	}
	d, each := r.Pairs("axis_index_groups")
	return Groups{d, each}
}

// TakeRows returns the given rows of x, which lie along its leading axis. One slice takes a
// run of consecutive rows.
func TakeRows(x Value, rows []int) Value {
	if len(rows) == 0 {
		return SliceAxis(x, 0, 0, 0, 1)
	}
	var parts []Value
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j] == rows[j-1]+1 {
			j++
		}
		parts = append(parts, SliceAxis(x, 0, rows[i], rows[i]+j-i, 1))
		i = j
	}
	return Concatenate(0, parts...)
}
