package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// sorted is memory of rows of keys and of the numbers of their elements.
type sorted struct{ keys, places Slot }

// A sorter adds the kernels that sort keys, several times if there are several keys.
type sorter struct {
	n       *Sequence
	key     scalar.Type
	rows, l int64 // rows, and elements of a row
	now     sorted
	other   sorted
}

func (n *Sequence) newSorter(key scalar.Type, rows, elements int64) *sorter {
	s := &sorter{n: n, key: key, rows: rows, l: elements}
	s.now = sorted{n.Add(8 * rows * elements), n.Add(4 * rows * elements)}
	s.other = sorted{n.Add(8 * rows * elements), n.Add(4 * rows * elements)}
	return s
}

// sort adds the kernels that sort the keys in s.now, whose order bits `low` to `high`−1 decide. If fresh is set, the elements of each row are numbered in order.
func (s *sorter) sort(low, high int, fresh bool) {
	if !s.n.device.ByDigits(s.l) {
		sort := Sort{Key: s.key, Rows: s.rows, N: s.l}
		for _, k := range sort.Kernels() {
			s.n.Run(k, s.now.keys, s.now.places, s.other.keys, s.other.places)
			s.now, s.other = s.other, s.now
		}
		return
	}
	r := &Radix{Element: s.key, Key: identity(s.key), Low: low, High: high, Payload: scalar.I32, Numbers: fresh, Rows: s.rows, N: s.l}
	passes := r.Passes()
	counts := s.n.counts(r)
	for _, p := range passes {
		s.n.radixPass(p, true, counts, s.now, s.other)
		s.now, s.other = s.other, s.now
	}
}

// counts adds scratch memory for the counts of digits that the kernels of a pass hand on: by group, and by row.
func (n *Sequence) counts(r *Radix) [2]Slot {
	byGroup, byRow := r.Counts()
	return [2]Slot{n.Add(4 * byGroup), n.Add(4 * byRow)}
}

// radixPass adds the kernels of a digit. Places are not used if nothing moves with the elements.
func (n *Sequence) radixPass(p RadixPass, moves bool, counts [2]Slot, from, to sorted) {
	n.Run(p.Count, from.keys, counts[0])
	n.Run(p.Sum, counts[0], counts[1])
	memory := []Slot{from.keys}
	if moves && !p.Place.Fresh {
		memory = append(memory, from.places)
	}
	memory = append(memory, counts[0], counts[1], to.keys)
	if moves {
		memory = append(memory, to.places)
	}
	n.Run(p.Place, memory...)
}

// elements adds the kernels that sort the first operand, whose rows are contiguous. A single further operand of one
// component moves with the elements; if there are other further operands, the elements' numbers do. It returns how
// many operands the kernels sort, and where the numbers are, nil if there are none.
func (n *Sequence) elements(in []core.ShapedArray, r rows) (done int, places *Slot) {
	key := keyOf(in[0].DType, false)
	s := &Radix{Element: scalar.Stored(in[0].DType), Key: key.Prog, Low: key.low, High: key.high, Rows: r.outer, N: r.n}
	first, last := sorted{keys: operand(0)}, sorted{keys: result(0)}
	done = 1
	switch {
	case len(in) == 2 && scalar.Components(in[1].DType) == 1:
		s.Payload = scalar.Stored(in[1].DType)
		first.places, last.places = operand(1), result(1)
		done = 2
	case len(in) > 1:
		s.Payload, s.Numbers = scalar.I32, true
		last.places = n.Add(4 * r.outer * r.n)
		places = &last.places
	}
	passes := s.Passes()
	counts := n.counts(s)
	var between [2]sorted
	for i := range min(len(passes)-1, 2) {
		between[i].keys = n.Add(int64(s.Element.Size()) * r.outer * r.n)
		if s.Payload != scalar.NoType {
			between[i].places = n.Add(int64(s.Payload.Size()) * r.outer * r.n)
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
