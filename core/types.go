package core

import "reflect"

// Types caches the result types of operations of one result and one or two operands: programs
// request the same ones over and over. The zero Types is empty. It is not safe for concurrent
// use.
type Types struct{ results OpMemo[ShapedArray] }

// Known returns the type of p's result for operands of the types in; ok is false if it is not
// cached.
func (t *Types) Known(p Primitive, in []ShapedArray) (out ShapedArray, ok bool) {
	if e := t.results.Find(p, in); e != nil {
		return *e, true
	}
	return ShapedArray{}, false
}

// Note records that p returns out for operands of the types in, unless [OpMemo.Add] rejects p.
func (t *Types) Note(p Primitive, in []ShapedArray, out []ShapedArray) {
	if len(out) == 1 {
		t.results.Add(p, in, out[0])
	}
}

// OpMemo caches a V for operations of one or two operands, by the operation and the types of the
// operands: the latest ones only. The zero OpMemo is empty. It is not safe for concurrent use.
type OpMemo[V any] struct {
	seen [8][2]memoEntry[V] // at an index computed from p and the types: the latest two
}

type memoEntry[V any] struct {
	p     Primitive
	in    [2]ShapedArray
	ins   int8
	value V
}

func (e *memoEntry[V]) is(p Primitive, in []ShapedArray) bool {
	return int(e.ins) == len(in) && e.in[0] == in[0] && (len(in) < 2 || e.in[1] == in[1]) && e.p == p
}

func (m *OpMemo[V]) at(p Primitive, in []ShapedArray) *[2]memoEntry[V] {
	name := p.Name()
	h := len(name) + int(in[0].DType)
	if len(name) > 1 {
		h += 5*int(name[0]) + 3*int(name[len(name)-1]) + int(name[1])
	}
	for _, a := range in { // scalars have another index: 2·A and A·B often stand together
		if h *= 3; a.Shape != (Dims{}) {
			h++
		}
	}
	return &m.seen[uint64(h)*0x9e3779b97f4a7c15>>61] // the upper bits depend on all of h
}

// Find returns the value for p and operands of the types in, nil if there is none.
func (m *OpMemo[V]) Find(p Primitive, in []ShapedArray) *V {
	if len(in) == 0 || len(in) > 2 {
		return nil
	}
	set := m.at(p, in)
	for i := range set {
		if e := &set[i]; e.is(p, in) {
			return &e.value
		}
	}
	return nil
}

// Add stores v for p and operands of the types in. It stores nothing if there is no operand or more
// than two, if p cannot be compared, or if p names an axis, whose meaning is not the same everywhere.
func (m *OpMemo[V]) Add(p Primitive, in []ShapedArray, v V) {
	if len(in) == 0 || len(in) > 2 || !reflect.TypeOf(p).Comparable() {
		return
	}
	if _, named := p.(AxisNamer); named {
		return
	}
	e := memoEntry[V]{p: p, ins: int8(len(in)), value: v}
	copy(e.in[:], in)
	set := m.at(p, in)
	set[0], set[1] = e, set[0]
}
