package stablehlo

import (
	"fmt"
	"strconv"
	"strings"
)

// A body is recognized by its signature: its operations in order, with operands and
// enumerators, as text in which values are numbered. Usual bodies become fast
// primitives; see the tables of the operations that have bodies.

// signature returns the text of a region: "add 0 1;return 2". A constant stands where it is used, as
// its element type and bits; other values have no type. The text is "" if the
// region contains more than 32 operations, one that is not listed below, or a constant that is
// not a scalar, or if it uses values from outside.
func (t *translator) signature(r *region) string {
	label := map[int]string{}
	for i, a := range r.args {
		label[a.id] = strconv.Itoa(i)
	}
	next := len(r.args)
	var b strings.Builder
	for _, o := range r.ops {
		if len(o.regions) > 0 || len(r.ops) > 32 {
			return ""
		}
		name := strings.TrimPrefix(o.name, "stablehlo.")
		var line strings.Builder
		line.WriteString(name)
		switch name {
		case "compare":
			direction, kind := "", ""
			if w := o.words(); len(w) > 0 {
				direction = w[0]
				if len(w) > 1 {
					kind = w[1]
				}
			} else {
				d, _ := o.attr("comparison_direction")
				c, _ := o.attr("compare_type")
				direction = fmt.Sprint(t.resolve(d))
				if c != nil {
					kind = fmt.Sprint(t.resolve(c))
				}
			}
			line.WriteString(" " + direction)
			if kind == "TOTALORDER" {
				line.WriteString(" TOTALORDER")
			}
		case "constant":
			a, _ := o.attr("value")
			d, ok := t.resolve(a).(denseAttr)
			if !ok || !d.isSplat() || len(d.typ.dims) > 0 || d.typ.elem == 0 {
				return ""
			}
			one := d.one(t.m.src)
			label[o.result] = fmt.Sprintf("%v:%x", d.typ.elem, one[:d.typ.elem.Size()])
			continue
		case "add", "multiply", "subtract", "maximum", "minimum", "and", "or", "xor", "select", "return", "convert":
		default:
			return ""
		}
		for _, id := range o.in {
			n, ok := label[id]
			if !ok {
				return ""
			}
			line.WriteString(" " + n)
		}
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(line.String())
		for i := range o.results {
			label[o.result+i] = strconv.Itoa(next)
			next++
		}
	}
	return b.String()
}

// combination returns the operation that a region of two scalars applies, "second" if it returns the
// second one, and "" if it does something else. Where the operation commutes, the operands may be swapped.
func (t *translator) combination(r *region) string {
	if len(r.args) != 2 || r.args[0].typ.elem != r.args[1].typ.elem {
		return ""
	}
	name, rest, _ := strings.Cut(t.signature(r), " ")
	switch rest {
	case "0 1;return 2":
		return name
	case "1 0;return 2":
		switch name {
		case "add", "multiply", "maximum", "minimum", "and", "or", "xor":
			return name
		}
	case "1":
		if name == "return" {
			return "second"
		}
	}
	return ""
}
