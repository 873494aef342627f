package equinox

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// batchedP is a primitive on a batch: each of its rules applies the primitive's rule to each example.
type batchedP struct {
	of   core.Primitive
	n    int
	axes string // of the operands, as the text has them: (None, 0)
}

// batched binds p on a batch with leading axes. All results are batched.
func batched(p core.Primitive, n int, in []value, mapped []bool) ([]value, []bool) {
	axes := make([]string, len(in))
	for i, m := range mapped {
		if axes[i] = "None"; m {
			axes[i] = "0"
		}
	}
	out := core.Bind(batchedP{p, n, tupleText(axes)}, in...)
	outMapped := make([]bool, len(out))
	for i := range outMapped {
		outMapped[i] = true
	}
	return out, outMapped
}

func tupleText(list []string) string {
	if len(list) == 1 {
		return "(" + list[0] + ",)"
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (batchedP) Name() string { return "vprim" }

func readBatched(r *jaxpr.ParamReader) core.Primitive {
	r.Ignore("__axis_name") // a unique object, which nothing else can name
	p := batchedP{n: r.Int("__axis_size"), axes: r.Text("__batch_axes")}
	read := jaxpr.Registered(r.Text("prim"))
	if read == nil {
		r.Unsupported("the primitive %s that it batches is not known", r.Text("prim"))
	}
	for _, a := range elements(p.axes) {
		if n, err := strconv.Atoi(a); a != "None" && (err != nil || n < 0) {
			r.Unsupported("its axes %s are none", p.axes)
		}
	}
	var params []jaxpr.ParsedParam
	m := r.Mixed("params")
	programs := m.Programs
	for _, pair := range elements(strings.Join(m.Around, hole)) {
		kv := elements(pair)
		if len(kv) != 2 {
			r.Unsupported("its parameter %s is no pair", pair)
		}
		param := jaxpr.ParsedParam{Key: strings.Trim(kv[0], "'"), Text: kv[1]}
		if n := strings.Count(kv[1], hole); n > 0 {
			param.Around, param.Jaxpr = strings.Split(kv[1], hole), programs[:n]
			programs = programs[n:]
		}
		params = append(params, param)
	}
	in := p.inner(r.In)
	out := make([]aval, len(r.Out))
	for i, a := range r.Out {
		if a.Rank() > 0 {
			out[i] = a.WithShape(a.Shape.Remove(0))
		}
	}
	p.of = read(jaxpr.NewParamReader(r.Text("prim"), params, in, out))
	return p
}

// axisList returns the batch axis of each operand, −1 where there is none.
func (p batchedP) axisList() []int {
	var list []int
	for _, a := range elements(p.axes) {
		n, err := strconv.Atoi(a)
		if err != nil {
			n = -1
		}
		list = append(list, n)
	}
	return list
}

// inner returns the types of an example.
func (p batchedP) inner(in []aval) []aval {
	axes := p.axisList()
	operands(in, len(axes))
	out := make([]aval, len(in))
	for i, a := range in {
		if out[i] = a; axes[i] >= 0 {
			if axes[i] >= a.Rank() || a.Shape.At(axes[i]) != p.n {
				core.Failf(core.ErrAxis, "operand %d must have %s along axis %d, got %v", i, core.Count(p.n, "example"), axes[i], a)
			}
			out[i] = a.WithShape(a.Shape.Remove(axes[i]))
		}
	}
	return out
}

func (p batchedP) Params() []core.Param {
	var m mixture
	m.text("(")
	n := 0
	if q, ok := p.of.(core.Paramer); ok {
		for _, kv := range q.Params() {
			if n++; n > 1 {
				m.text(", ")
			}
			m.text("('" + kv.Key + "', ")
			m.add(kv.Value)
			m.text(")")
		}
	}
	if n == 1 {
		m.text(",")
	}
	m.text(")")
	return []core.Param{
		param("__axis_name", "<object object at 0xXXXXXXXXXXXX>"), param("__axis_size", strconv.Itoa(p.n)), param("__batch_axes", p.axes),
		param("params", m.value()), param("prim", p.of.Name()),
	}
}

// mixture builds the value of a parameter that may contain programs.
type mixture struct{ jaxpr.Mixed }

func (m *mixture) text(s string) {
	if len(m.Around) == 0 {
		m.Around = []string{""}
	}
	m.Around[len(m.Around)-1] += s
}

func (m *mixture) program(j *jaxpr.Jaxpr) {
	m.text("")
	m.Programs, m.Around = append(m.Programs, j), append(m.Around, "")
}

func (m *mixture) add(v any) {
	switch v := v.(type) {
	case string:
		m.text(v)
	case jaxpr.Mixed:
		for i, j := range v.Programs {
			m.text(v.Around[i])
			m.program(j)
		}
		m.text(v.Around[len(v.Programs)])
	default:
		m.text(v.(interface{ String() string }).String())
	}
}

// value returns the parameter that was built, as text if it contains no programs.
func (m *mixture) value() any {
	if len(m.Programs) == 0 {
		return m.Around[0]
	}
	return m.Mixed
}

func (p batchedP) Abstract(in []aval) []aval {
	out := core.AbstractOf(p.of, p.inner(in))
	for i, a := range out {
		out[i] = a.WithShape(a.Shape.Prepend(p.n)).Strong()
	}
	return out
}

// over runs f on each example. Operands that are nil are left out.
func (p batchedP) over(f func(in []value) []value, in []value, axes []int) []value {
	var args []value
	var mapped []bool
	var at []int
	for i, v := range in {
		if v == nil {
			continue
		}
		if axes[i] > 0 {
			v = transforms.MoveAxis(v, axes[i], 0)
		}
		args, mapped, at = append(args, v), append(mapped, axes[i] >= 0), append(at, i)
	}
	out, outMapped := transforms.Vmap(p.n, "", func(args []value) []value {
		one := make([]value, len(in))
		for k, i := range at {
			one[i] = args[k]
		}
		return f(one)
	}, args, mapped)
	for i, v := range out {
		if v != nil {
			out[i] = atFront(p.n, v, outMapped[i])
		}
	}
	return out
}

func (p batchedP) Expand(in []value) []value {
	return p.over(p.of.(core.Expander).Expand, in, p.axisList())
}

func (p batchedP) JVP(in, out, t []value) []value {
	axes := p.axisList()
	all := append(append(append([]value(nil), in...), t...), out...)
	both := append(append([]int(nil), axes...), axes...)
	for range out {
		both = append(both, 0)
	}
	n := len(in)
	return p.dense(func(all []value) []value {
		return p.of.(core.JVPer).JVP(all[:n], all[2*n:], all[n:2*n])
	}, all, both)
}

// dense runs f, whose results may be nil, on each example.
func (p batchedP) dense(f func([]value) []value, in []value, axes []int) []value {
	var at []int
	size := 0
	out := p.over(func(in []value) []value {
		all := f(in)
		size, at = len(all), nil
		var some []value
		for i, v := range all {
			if v != nil {
				some, at = append(some, v), append(at, i)
			}
		}
		return some
	}, in, axes)
	all := make([]value, size)
	for k, i := range at {
		all[i] = out[k]
	}
	return all
}

// Transpose applies the primitive's rule to each example. Cotangents of operands that all examples
// share are summed.
func (p batchedP) Transpose(ct, in []value, lin []bool, av []aval) []value {
	axes := p.axisList()
	all := append(append([]value(nil), ct...), in...)
	both := make([]int, len(ct), len(all))
	both = append(both, axes...)
	inner := p.inner(av)
	out := p.dense(func(all []value) []value {
		return p.of.(core.Transposer).Transpose(all[:len(ct)], all[len(ct):], lin, inner)
	}, all, both)
	for i, v := range out {
		switch {
		case v == nil:
		case axes[i] < 0:
			out[i] = prim.ReduceSum(v, core.MakeDims(0))
		case axes[i] > 0:
			out[i] = transforms.MoveAxis(v, 0, axes[i])
		}
	}
	return out
}

func (p batchedP) Batch(n int, in []value, mapped []bool) ([]value, []bool) {
	return batched(p, n, in, mapped)
}
