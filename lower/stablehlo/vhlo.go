package stablehlo

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core/elem"
)

// VHLO is StableHLO with a version after each operation's name, flat attributes and no defaults. It is converted to
// StableHLO when it is read, so that text and bytecode are translated alike.

// grouped lists, by operation, the attributes that StableHLO has as the parts of one attribute: its key and the parts.
var grouped = map[string]struct {
	key   string
	parts []string
}{
	"dot_general":    {"dot_dimension_numbers", []string{"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions", "rhs_contracting_dimensions"}},
	"gather":         {"dimension_numbers", gatherParts},
	"dynamic_gather": {"dimension_numbers", gatherParts},
	"scatter": {"scatter_dimension_numbers", []string{"update_window_dims", "inserted_window_dims", "input_batching_dims",
		"scatter_indices_batching_dims", "scatter_dims_to_operand_dims", "index_vector_dim"}},
}

var gatherParts = []string{"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims", "start_index_map", "index_vector_dim"}

// perAxis are attributes that are empty where each axis has the default.
var perAxis = map[string]bool{
	"window_strides": true, "base_dilations": true, "window_dilations": true, "padding": true,
	"lhs_dilation": true, "rhs_dilation": true, "window_reversal": true,
}

// fromVHLO returns the name and the attributes that StableHLO has for an operation.
func fromVHLO(c *cursor, o *rawOp) (name string, attrs []namedAttr) {
	short, ok := strings.CutPrefix(o.name, "vhlo.")
	if !ok {
		return o.name, o.attrs
	}
	i := strings.LastIndex(short, "_v")
	if _, known := vhloProperties[short]; !known || i < 0 {
		c.pos = o.pos
		c.failf("the operation %s is not known, or newer than this reader; serialize for an older version of StableHLO", o.name)
	}
	short = short[:i]
	attrs = o.attrs
	switch short {
	case "call":
		return "func.call", symbols(attrs, "callee")
	case "return":
		return "stablehlo.return", nil
	case "composite":
		attrs = symbols(attrs, "decomposition")
	case "convolution", "dynamic_conv":
		attrs = append(withoutDefaults(attrs), namedAttr{"dimension_numbers", convOf(c, o)})
	case "reduce_window", "select_and_scatter":
		attrs = withoutDefaults(attrs)
	}
	if g, ok := grouped[short]; ok {
		var d dictAttr
		for _, key := range g.parts {
			if a := o.attr(key); a != nil {
				d = append(d, namedAttr{key, a})
			}
		}
		attrs = append(attrs[:len(attrs):len(attrs)], namedAttr{g.key, d})
	}
	return "stablehlo." + short, attrs
}

// symbols returns attributes in which the string called key is a symbol.
func symbols(attrs []namedAttr, key string) []namedAttr {
	out := make([]namedAttr, len(attrs))
	for i, a := range attrs {
		if s, ok := a.val.(stringAttr); ok && a.key == key {
			a.val = symbolAttr(s)
		}
		out[i] = a
	}
	return out
}

// withoutDefaults leaves out the attributes of perAxis that are empty.
func withoutDefaults(attrs []namedAttr) []namedAttr {
	out := make([]namedAttr, 0, len(attrs)+1)
	for _, a := range attrs {
		if d, ok := a.val.(denseAttr); ok && perAxis[a.key] && len(d.raw) == 0 {
			continue
		}
		out = append(out, a)
	}
	return out
}

// convOf makes labels of the axes of a convolution's operands and result.
func convOf(c *cursor, o *rawOp) convAttr {
	side := func(name, first, firstLabel, second, secondLabel string) []string {
		axes, ok := smallInts(o.attr(name + "_spatial_dimensions"))
		if !ok {
			c.pos = o.pos
			c.damaged("%s has no %s_spatial_dimensions", o.name, name)
		}
		labels := make([]string, len(axes)+2)
		set := func(axis int, label string) {
			if axis < 0 || axis >= len(labels) || labels[axis] != "" {
				c.pos = o.pos
				c.damaged("the dimension numbers of %s must name each axis of its %s once", o.name, name)
			}
			labels[axis] = label
		}
		one := func(key string) int {
			n, ok := o.attr(name + "_" + key + "_dimension").(intAttr)
			if !ok {
				return -1
			}
			return int(n.val)
		}
		set(one(first), firstLabel)
		set(one(second), secondLabel)
		for i, axis := range axes {
			set(axis, strconv.Itoa(i))
		}
		return labels
	}
	return convAttr{
		lhs: side("input", "batch", "b", "feature", "f"),
		rhs: side("kernel", "output_feature", "o", "input_feature", "i"),
		out: side("output", "batch", "b", "feature", "f"),
	}
}

func smallInts(a attr) (list []int, ok bool) {
	d, ok := a.(denseAttr)
	if !ok || !d.typ.elem.IsInteger() || len(d.typ.dims) != 1 || d.typ.dims[0] < 0 || d.typ.dims[0] > maxRank {
		return nil, false
	}
	dt := d.typ.elem
	size := dt.Size()
	for i := range d.typ.dims[0] {
		at := i * size
		if d.splat {
			at = 0
		}
		if at+size > len(d.raw) {
			return nil, false
		}
		buf := [8]byte{}
		copy(buf[:], d.raw[at:at+size])
		native(buf[:size], dt)
		n, _ := elem.Get(buf[:size], dt)
		list = append(list, int(n.Int64()))
	}
	return list, true
}
