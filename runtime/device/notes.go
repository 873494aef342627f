package device

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// largeProduct is the number of multiplications and additions from which a product is large. A large device takes about
// a tenth of a millisecond for them.
const largeProduct = 1 << 32

// notes returns the notes in the account of a program about large products that keep the reference's bits on a device
// whose tensor cores would round.
func (b *builder) notes(plan *fuse.Plan) []string {
	t, ok := b.e.driver.(Tensorer)
	if !ok || b.request.Options.Precision == runtime.Fast {
		return nil
	}
	var largest *fuse.Product
	most, n := 0.0, 0
	eachProduct(plan, func(p *fuse.Product) {
		ops := operations(p)
		if _, known := tensorKinds[p.Type]; !known || ops < largeProduct || min(p.M, p.N, p.K) < leastOnCores {
			return
		}
		if n++; ops > most {
			largest, most = p, ops
		}
	})
	if n == 0 || !t.TensorCores().MMA {
		return nil
	}
	where := ""
	if pos := siteOf(largest.Eqn); pos != "" {
		where = " (the largest: " + pos + ")"
	}
	return []string{fmt.Sprintf("%s%s exact, without the device's tensor cores, which may be several times as fast; weft.Precision(weft.Fast) permits them, within a bound",
		core.Count(n, "large product"), where+map[bool]string{true: " is", false: " are"}[n == 1])}
}

// leastOnCores is the least number of rows, columns and terms of the products that notes are about.
const leastOnCores = 16

// operations returns the number of multiplications and additions of a product.
func operations(p *fuse.Product) float64 {
	n := 2 * float64(p.M) * float64(p.N) * float64(p.K)
	for _, a := range p.Batch {
		n *= float64(a.N)
	}
	return n
}

// eachProduct calls f for the products of a plan and of the plans in its loops.
func eachProduct(plan *fuse.Plan, f func(p *fuse.Product)) {
	for _, s := range plan.Steps {
		if p, ok := s.(*fuse.Product); ok {
			f(p)
		}
		for _, inner := range s.Inner() {
			eachProduct(inner, f)
		}
	}
}
