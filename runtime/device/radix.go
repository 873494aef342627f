package device

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// A sortKey computes the unsigned integer whose order is that of a number, which differs from
// others in the bits from low up to high.
type sortKey struct {
	*scalar.Prog
	low, high int
}

// Type returns the type of keys.
func (k sortKey) Type() scalar.Type { return k.Code[k.Results[0]].Type }

// keyOf returns the key of a number of a type, or of a component. Where greatest is true the
// order is the opposite of IEEE 754's total order; else zeros are equal, and NaNs are equal
// and come last.
func keyOf(dt core.DType, greatest bool) sortKey {
	switch dt {
	case core.Complex64:
		dt = core.Float32
	case core.Complex128:
		dt = core.Float64
	}
	b := scalar.NewBuilder(dt)
	x := b.Param(0, 0)
	t := b.TypeOf(x)
	u, unsigned := scalar.U32, core.Uint32
	if t.Size() == 8 {
		u, unsigned = scalar.U64, core.Uint64
	}
	k := sortKey{high: u.Bits()}
	var r scalar.Ref
	switch {
	case dt.IsFloat():
		if !t.IsFloat() { // the bits of a small float
			x = b.Widen(dt, x)
			if dt == core.BFloat16 {
				k.low = 16
			}
		}
		top := b.Const(u, 1<<(u.Bits()-1))
		bits := b.Bitcast(u, x)
		if !greatest {
			bits = b.Select(b.Eq(x, b.Const(b.TypeOf(x), 0)), b.Const(u, 0), bits)
		}
		r = b.Select(b.Le(top, bits), b.Not(bits), b.Or(bits, top))
		if !greatest {
			r = b.Select(b.IsNaN(x), b.Const(u, ^uint64(0)>>(64-u.Bits())), r)
		}
	case t.IsSigned():
		k.high = t.Bits()
		r = b.Convert(u, x)
		if t.Size() < 4 {
			r = b.And(r, b.Const(u, 1<<t.Bits()-1))
		}
		r = b.Xor(r, b.Const(u, 1<<(t.Bits()-1)))
	default:
		k.high = t.Bits()
		if r = x; t != u {
			r = b.Convert(u, x)
		}
	}
	if greatest {
		r = b.Not(r)
	}
	k.Prog = b.Finish([]core.DType{unsigned}, []scalar.Ref{r})
	return k
}

// identity returns the key of keys.
func identity(t scalar.Type) *scalar.Prog {
	dt := core.Uint32
	if t == scalar.U64 {
		dt = core.Uint64
	}
	b := scalar.NewBuilder(dt)
	return b.Finish([]core.DType{dt}, []scalar.Ref{b.Param(0, 0)})
}

// sorted is memory of rows of keys and of the numbers of their elements.
type sorted struct{ keys, places slot }

// A sorter adds the kernels that sort keys, several times if there are several keys.
type sorter struct {
	n       *native
	key     scalar.Type
	rows, l int64 // rows, and elements of a row
	now     sorted
	other   sorted
}

// newSorter adds memory of rows of keys.
func (n *native) newSorter(key scalar.Type, rows, elements int64) *sorter {
	s := &sorter{n: n, key: key, rows: rows, l: elements}
	s.now = sorted{n.add(8 * rows * elements), n.add(4 * rows * elements)}
	s.other = sorted{n.add(8 * rows * elements), n.add(4 * rows * elements)}
	return s
}

// sort adds the kernels that sort what lies in s.now, where keys differ in the bits from low up
// to high. If fresh, the elements of each row are numbered in order.
func (s *sorter) sort(low, high int, fresh bool) {
	if !s.n.device.ByDigits(s.l) {
		sort := &simt.Sort{Key: s.key, Rows: s.rows, N: s.l}
		for _, f := range sort.Funcs() {
			s.n.run(f, s.now.keys, s.now.places, s.other.keys, s.other.places)
			s.now, s.other = s.other, s.now
		}
		return
	}
	r := &simt.Radix{Element: s.key, Key: identity(s.key), Low: low, High: high, Payload: scalar.I32, Numbers: fresh, Rows: s.rows, N: s.l}
	passes := r.Passes()
	counts := s.n.counts(r)
	for _, p := range passes {
		s.n.radixPass(p, true, counts, s.now, s.other)
		s.now, s.other = s.other, s.now
	}
}

// counts adds the memory between the kernels of a pass.
func (n *native) counts(r *simt.Radix) [2]slot {
	byGroup, byRow := r.Counts()
	return [2]slot{n.add(4 * byGroup), n.add(4 * byRow)}
}

// radixPass adds the kernels of a digit. Places are not used where nothing moves with elements.
func (n *native) radixPass(p simt.RadixPass, moves bool, counts [2]slot, from, to sorted) {
	n.run(p.Count, from.keys, counts[0])
	n.run(p.Sum, counts[0], counts[1])
	memory := []slot{from.keys}
	if moves && !p.Fresh {
		memory = append(memory, from.places)
	}
	memory = append(memory, counts[0], counts[1], to.keys)
	if moves {
		memory = append(memory, to.places)
	}
	n.run(p.Place, memory...)
}

// elements adds the kernels that sort the elements of the first operand, which are rows of
// numbers beside each other. The second one moves with them if no other one does; else
// their numbers do. It returns how many operands are sorted then, and where the numbers are.
func (n *native) elements(in []core.ShapedArray, r rows) (done int, places *slot) {
	key := keyOf(in[0].DType, false)
	s := &simt.Radix{Element: scalar.Stored(in[0].DType), Key: key.Prog, Low: key.low, High: key.high, Rows: r.outer, N: r.n}
	first, last := sorted{keys: operand(0)}, sorted{keys: result(0)}
	done = 1
	switch {
	case len(in) == 2 && scalar.Components(in[1].DType) == 1:
		s.Payload = scalar.Stored(in[1].DType)
		first.places, last.places = operand(1), result(1)
		done = 2
	case len(in) > 1:
		s.Payload, s.Numbers = scalar.I32, true
		last.places = n.add(4 * r.outer * r.n)
		places = &last.places
	}
	passes := s.Passes()
	counts := n.counts(s)
	var between [2]sorted
	for i := range min(len(passes)-1, 2) {
		between[i].keys = n.add(int64(s.Element.Size()) * r.outer * r.n)
		if s.Payload != scalar.NoType {
			between[i].places = n.add(int64(s.Payload.Size()) * r.outer * r.n)
		}
	}
	from := first
	for i, p := range passes {
		to := between[i%2]
		if i == len(passes)-1 {
			to = last
		}
		n.radixPass(p, s.Payload != scalar.NoType, counts, from, to)
		from = to
	}
	return done, places
}
