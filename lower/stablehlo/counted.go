package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/trace"
)

// Exporters write loops of a known number of steps as while. They become scans, which
// have a reverse derivative.

// counted returns how often a while loop runs, where that is known: it goes on while a carried integer, whose
// first value is known, is less than a constant, and its body adds one to this integer.
func (f *frame) counted(o *op, in []core.Value) (steps int, ok bool) {
	cond, body := o.regions[0], o.regions[1]
	if len(cond.ops) == 0 || len(body.ops) == 0 || len(cond.args) != len(in) || len(body.args) != len(in) {
		return 0, false
	}
	var compare *op
	for _, c := range cond.ops[:len(cond.ops)-1] {
		switch c.name {
		case "stablehlo.constant":
		case "stablehlo.compare":
			if compare != nil {
				return 0, false
			}
			compare = c
		default:
			return 0, false
		}
	}
	end := cond.ops[len(cond.ops)-1]
	if compare == nil || len(end.in) != 1 || end.in[0] != compare.result || len(compare.in) != 2 || f.direction(compare) != "LT" {
		return 0, false
	}
	k := argument(cond, compare.in[0])
	if k < 0 {
		return 0, false
	}
	limit, ok := f.integer(cond, compare.in[1])
	if !ok {
		return 0, false
	}
	next := body.ops[len(body.ops)-1].in
	if len(next) != len(in) {
		return 0, false
	}
	add := definition(body, next[k])
	if add == nil || add.name != "stablehlo.add" || len(add.in) != 2 {
		return 0, false
	}
	other := add.in[1]
	if argument(body, add.in[0]) != k {
		if other = add.in[0]; argument(body, add.in[1]) != k {
			return 0, false
		}
	}
	if one, ok := f.integer(body, other); !ok || one != 1 {
		return 0, false
	}
	start, ok := scalarInt(in[k])
	if !ok {
		return 0, false
	}
	n := limit - start
	if limit < start {
		return 0, true
	}
	return int(n), n >= 0 && int64(int(n)) == n
}

func (f *frame) direction(o *op) string {
	if w := o.words(); len(w) > 0 {
		return w[0]
	}
	return f.text(o, "comparison_direction")
}

// argument returns the index of the argument of a region that is the value id, or −1 if no argument is.
func argument(r *region, id int) int {
	for i, a := range r.args {
		if a.id == id {
			return i
		}
	}
	return -1
}

// definition returns the operation of a region that computes a value, nil if none does.
func definition(r *region, id int) *op {
	for _, o := range r.ops {
		if id >= o.result && id < o.result+o.results {
			return o
		}
	}
	return nil
}

// integer returns the value that id has within region r, and whether it is an integer constant: one of r, or a number from outside of
// it that depends on no argument.
func (f *frame) integer(r *region, id int) (int64, bool) {
	if argument(r, id) >= 0 {
		return 0, false
	}
	o := definition(r, id)
	if o == nil {
		return scalarInt(f.env[id])
	}
	a, _ := o.attr("value")
	d, ok := f.resolve(a).(denseAttr)
	if o.name != "stablehlo.constant" || !ok || !d.isSplat() || len(d.typ.dims) > 0 || !d.typ.elem.IsInteger() {
		return 0, false
	}
	one := d.one(f.m.src)
	n, _ := elem.Get(one[:], d.typ.elem)
	return n.Int64(), n.Fits(core.Int64)
}

// scalarInt returns the number of a scalar integer that depends on no argument.
func scalarInt(v core.Value) (int64, bool) {
	if v == nil || v.Aval().Rank() != 0 || !v.Aval().DType.IsInteger() {
		return 0, false
	}
	if l, ok := v.(core.Literal); ok {
		return l.Num.Int64(), l.Num.Fits(core.Int64)
	}
	if !trace.Known(v) {
		return 0, false
	}
	c, err := trace.Look(v)
	if err != nil {
		return 0, false
	}
	x, ok := c.(core.Concrete)
	if !ok {
		return 0, false
	}
	n, ok := x.Scalar()
	return n.Int64(), ok && n.Fits(core.Int64)
}
