package device

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// largeProduct is the number of multiplications and additions from which a product is large. A large device takes about
// a tenth of a millisecond for them.
const largeProduct = 1 << 32

// notes returns the notes in the account of a program about large products and convolutions that keep the reference's bits on a device
// whose tensor cores would round.
func (b *builder) notes(plan *fuse.Plan) []string {
	t, ok := b.e.driver.(Tensorer)
	if !ok || b.request.Options.Precision == runtime.Fast {
		return nil
	}
	var largest *jaxpr.Eqn
	most, n, what := 0.0, 0, ""
	add := func(e *jaxpr.Eqn, name string, dt core.DType, ops float64, least int) {
		if _, known := tensorKinds[dt]; !known || ops < largeProduct || least < leastOnCores || !fuse.MayRound(e) {
			return
		}
		if n++; ops > most {
			largest, most = e, ops
		}
		if what != "" && what != name {
			name = "products and convolution"
		}
		what = name
	}
	eachStep(plan, func(s fuse.Step) {
		switch s := s.(type) {
		case *fuse.Product:
			add(s.Eqn, "product", s.Type, operations(s), min(s.M, s.N, s.K))
		case *fuse.Conv:
			outputs := s.Outputs / s.Groups
			add(s.Eqn, "convolution", s.Type, 2*float64(s.Rows())*float64(s.K())*float64(s.Outputs), min(s.Rows(), outputs, s.K()))
		}
	})
	if n == 0 || !t.TensorCores().MMA {
		return nil
	}
	where := ""
	if pos := siteOf(largest); pos != "" {
		where = " (the largest: " + pos + ")"
	}
	return []string{fmt.Sprintf("%s%s exact, without the device's tensor cores, which may be several times as fast; weft.Precision(weft.Fast) permits them, within a bound",
		core.Count(n, "large "+what), where+map[bool]string{true: " is", false: " are"}[n == 1])}
}

// leastOnCores is the least number of rows, columns and terms of the products and convolutions that notes are about.
const leastOnCores = 16

// operations returns the number of multiplications and additions of a product.
func operations(p *fuse.Product) float64 {
	n := 2 * float64(p.M) * float64(p.N) * float64(p.K)
	for _, a := range p.Batch {
		n *= float64(a.N)
	}
	return n
}

// eachStep calls f for the steps of a plan and of the plans in its loops.
func eachStep(plan *fuse.Plan, f func(s fuse.Step)) {
	for _, s := range plan.Steps {
		f(s)
		for _, inner := range s.Inner() {
			eachStep(inner, f)
		}
	}
}
