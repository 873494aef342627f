package prim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// reductionCall returns the call's primitive and operand types, as lax makes them; ok is
// false for calls of other families and for what is refused before there is a primitive.
func reductionCall(t *testing.T, c call) (p core.Primitive, in []core.ShapedArray, ok bool) {
	m := callForm.FindStringSubmatch(c.Src)
	if m == nil {
		return nil, nil, false
	}
	in = avals(t, c.In...)
	args, _ := strings.CutPrefix(m[2], "x, ")
	axes := func() core.Dims {
		v, _ := literal(t, args)
		return core.MakeDims(flat(v)...)
	}
	// axis and what follows it
	axis := func() (int, string) {
		v, rest := literal(t, args)
		return v.(int), strings.TrimPrefix(rest, ", ")
	}
	switch m[1] {
	case "reduce_sum":
		return prim.ReduceSumP{Axes: axes()}, in, true
	case "reduce_prod":
		return prim.ReduceProdP{Axes: axes()}, in, true
	case "reduce_max":
		return prim.ReduceMaxP{Axes: axes()}, in, true
	case "reduce_min":
		return prim.ReduceMinP{Axes: axes()}, in, true
	case "reduce_and":
		return prim.ReduceAndP{Axes: axes()}, in, true
	case "reduce_or":
		return prim.ReduceOrP{Axes: axes()}, in, true
	case "reduce_xor":
		return prim.ReduceXorP{Axes: axes()}, in, true
	case "argmax", "argmin":
		a, rest := axis()
		dt := pythonDType(t, rest, c.X64)
		if m[1] == "argmax" {
			return prim.ArgmaxP{Axes: core.MakeDims(a), Index: dt}, in, true
		}
		return prim.ArgminP{Axes: core.MakeDims(a), Index: dt}, in, true
	case "cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp":
		a, _ := axis()
		to := prim.Cumulation{Axis: a}
		return map[string]core.Primitive{
			"cumsum": prim.CumsumP{Cumulation: to}, "cumprod": prim.CumprodP{Cumulation: to}, "cummax": prim.CummaxP{Cumulation: to},
			"cummin": prim.CumminP{Cumulation: to}, "cumlogsumexp": prim.CumlogsumexpP{Cumulation: to},
		}[m[1]], in, true
	case "batch_matmul":
		n := in[0].Rank()
		batch := core.Range(0, n-2)
		return prim.DotGeneralP{LhsContract: core.MakeDims(n - 1), RhsContract: core.MakeDims(n - 2), LhsBatch: batch, RhsBatch: batch}, in, true
	case "dot":
		if strings.Contains(c.Msg, "must be specified") {
			return nil, nil, false
		}
		return prim.DotGeneralP{LhsContract: core.MakeDims(in[0].Rank() - 1), RhsContract: core.MakeDims(0)}, in, true
	case "dot_general":
		args, hasArgs := strings.CutPrefix(args, "y, ")
		require.True(t, hasArgs)
		args, preferred, _ := strings.Cut(args, ", preferred_element_type=")
		lists, _ := literal(t, args)
		l := func(i, j int) core.Dims { return core.MakeDims(flat(lists.([]any)[i].([]any)[j])...) }
		q := prim.DotGeneralP{LhsContract: l(0, 0), RhsContract: l(0, 1), LhsBatch: l(1, 0), RhsBatch: l(1, 1)}
		if preferred != "" {
			q.Preferred = pythonDType(t, preferred, c.X64)
		}
		return q, in, true
	case "conv_general_dilated":
		return convCall(t, strings.TrimPrefix(args, "y, "), in), in, true
	}
	return nil, nil, false
}

// convCall reads: (1, 1), 'SAME', rhs_dilation=(2, 1), feature_group_count=2.
func convCall(t *testing.T, args string, in []core.ShapedArray) core.Primitive {
	spec := core.Range(0, 4)
	p := windows.ConvP{LhsSpec: spec, RhsSpec: spec, OutSpec: spec, LhsDilation: core.MakeDims(1, 1), RhsDilation: core.MakeDims(1, 1), FeatureGroups: 1, BatchGroups: 1}
	v, rest := literal(t, args)
	p.Strides = core.MakeDims(flat(v)...)
	rest = strings.TrimPrefix(rest, ", ")
	padding, options, _ := strings.Cut(rest, "', ")
	if rest[0] == '[' {
		v, options = literal(t, rest)
		p.Padding = core.MakeDims(flat(v)...)
		options = strings.TrimPrefix(options, ", ")
	}
	for _, o := range strings.SplitAfter(options, "), ") {
		for _, name := range []string{"rhs_dilation=", "feature_group_count="} {
			if i := strings.Index(o, name); i >= 0 {
				v, _ := literal(t, o[i+len(name):])
				if d, ok := v.(int); ok {
					p.FeatureGroups = d
				} else {
					p.RhsDilation = core.MakeDims(flat(v)...)
				}
			}
		}
	}
	if rest[0] == '\'' {
		p.Padding = windows.SamePadding(in[0].Shape.Slice(2, 4), dilatedBy(in[1].Shape.Slice(2, 4), p.RhsDilation), p.Strides)
		if strings.Trim(padding, "'") == "VALID" {
			p.Padding = core.MakeDims(0, 0, 0, 0)
		}
	}
	return p
}

func dilatedBy(s, by core.Dims) core.Dims {
	v := s.Ints()
	for i := range v {
		v[i] = (v[i]-1)*by.At(i) + 1
	}
	return core.MakeDims(v...)
}

func TestReductionTypes(t *testing.T) {
	typesAgree(t, "reductions_avals.jsonl", reductionCall, func(p core.Primitive, _ call, in []core.ShapedArray, err error) bool {
		// JAX gives this a type for integers, and cannot compile it.
		_, logs := p.(prim.CumlogsumexpP)
		return logs && in[0].DType.IsInteger() && err != nil
	})
}
