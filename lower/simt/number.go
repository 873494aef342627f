package simt

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/scalar"
)

// A number is the register of a real number, or those of the parts of a complex one. Factorizations are written for numbers.
type number []Reg

// A wide is a complex number in f64; the imaginary part of a real number is 0.
type wide struct{ re, im Reg }

// width is the number of registers of a number.
func (e *factorer) width() int64 {
	if e.complex {
		return 2
	}
	return 1
}

// eachPart returns the number with the parts f(0), ….
func (e *factorer) eachPart(f func(part int) Reg) number {
	x := make(number, e.width())
	for i := range x {
		x[i] = f(i)
	}
	return x
}

// real returns the number whose real part is in a register.
func (e *factorer) real(re Reg) number {
	return e.eachPart(func(part int) Reg {
		if part > 0 {
			return e.constant(e.kind, 0)
		}
		return re
	})
}

func (e *factorer) zero() number { return e.real(e.constant(e.kind, 0)) }

func (e *factorer) one() number { return e.real(e.constant(e.kind, floatBits(e.kind, 1))) }

// variable returns registers that can be assigned, with the value of x.
func (e *factorer) variable(x number) number {
	return e.eachPart(func(i int) Reg { return e.copied(x[i]) })
}

func (e *factorer) assign(dst, src number) {
	for i, x := range src {
		e.move(dst[i], x)
	}
}

// pick returns x if c is true, else y.
func (e *factorer) pick(c Reg, x, y number) number {
	return e.eachPart(func(i int) Reg { return e.choose(c, x[i], y[i]) })
}

func (e *factorer) conj(x number) number {
	return e.eachPart(func(i int) Reg {
		if i > 0 {
			return e.op(scalar.OpNeg, e.kind, x[i])
		}
		return x[i]
	})
}

func (e *factorer) negative(x number) number {
	return e.eachPart(func(i int) Reg { return e.op(scalar.OpNeg, e.kind, x[i]) })
}

func (e *factorer) total(x, y number) number {
	return e.eachPart(func(i int) Reg { return e.sum(x[i], y[i]) })
}

// moreProduct returns z + x·y. Each part is rounded once for each product of parts, in the order of dense products.
func (e *factorer) moreProduct(x, y, z number) number {
	fma := func(x, y, z Reg) Reg { return e.op(scalar.OpFMA, e.kind, x, y, z) }
	re := fma(x[0], y[0], z[0])
	if !e.complex {
		return number{re}
	}
	re = fma(e.op(scalar.OpNeg, e.kind, x[1]), y[1], re)
	return number{re, fma(x[1], y[0], fma(x[0], y[1], z[1]))}
}

// lessProduct returns z − x·y.
func (e *factorer) lessProduct(x, y, z number) number { return e.moreProduct(e.negative(x), y, z) }

// quotientOf returns x/y, with the bits of div.
func (e *factorer) quotientOf(x, y number) number {
	if !e.complex {
		return number{e.op(scalar.OpDiv, e.kind, x[0], y[0])}
	}
	dt := core.Complex64
	if e.kind == scalar.F64 {
		dt = core.Complex128
	}
	p, _ := expand.Program(prim.DivP{}, []core.DType{dt, dt}, dt)
	canon := func(x number) number {
		return e.eachPart(func(i int) Reg { return e.op(scalar.OpCanon, e.kind, x[i]) })
	}
	return e.inline(p, canon(x), canon(y))
}

// magnitude returns |re| + |im| as bits of a type, in whose order NaN is above ∞: those of a real number as they are, else f64.
func (e *factorer) magnitude(x number) Reg {
	if !e.complex {
		return e.bare(x[0])
	}
	abs := func(x Reg) Reg { return e.op(scalar.OpAbs, scalar.F64, e.convert(scalar.F64, x)) }
	return e.bare(e.sum(abs(x[0]), abs(x[1])))
}

// greatestPart returns the greatest |part| as bits, as magnitude does.
func (e *factorer) greatestPart(x number) Reg {
	big := e.bare(x[0])
	for _, y := range x[1:] {
		big = e.op(scalar.OpMax, e.kind.Unsigned(), big, e.bare(y))
	}
	return big
}

// bare returns the bits of |x|.
func (e *factorer) bare(x Reg) Reg {
	t := e.typeOf(x).Unsigned()
	return e.op(scalar.OpAnd, t, e.op(scalar.OpBitcast, t, x), e.constant(t, uint64(1)<<(t.Bits()-1)-1))
}

func (e *factorer) wide(x number) wide {
	w := wide{e.convert(scalar.F64, x[0]), e.constant(scalar.F64, 0)}
	if e.complex {
		w.im = e.convert(scalar.F64, x[1])
	}
	return w
}

// narrowed returns the number to which z rounds.
func (e *factorer) narrowed(z wide) number {
	return e.eachPart(func(i int) Reg { return e.convert(e.kind, []Reg{z.re, z.im}[i]) })
}

func (z wide) conj(e *factorer) wide { return wide{z.re, e.op(scalar.OpNeg, scalar.F64, z.im)} }

// wideProduct returns x·y. Of each part, the second product is rounded, and an fma adds the first one to it.
func (e *factorer) wideProduct(x, y wide) wide {
	fma := func(x, y, z Reg) Reg { return e.op(scalar.OpFMA, scalar.F64, x, y, z) }
	return wide{fma(x.re, y.re, e.op(scalar.OpNeg, scalar.F64, e.prod(x.im, y.im))), fma(x.re, y.im, e.prod(x.im, y.re))}
}

// numbers adds an array of n numbers, that the threads of a group share.
func (e *factorer) numbers(n int64) int {
	return e.array(true, e.kind, int(n*e.width()))
}

// from returns number at of an array.
func (e *factorer) from(array int, at Reg) number {
	return e.beside(array, at, 1)[0]
}

// beside returns count numbers of an array, from at on, which is a multiple of count.
func (e *factorer) beside(array int, at Reg, count int64) []number {
	regs := make([]Reg, count*e.width())
	for i := range regs {
		regs[i] = e.reg(e.kind)
	}
	at = e.times(at, e.width())
	if len(regs) == 1 {
		e.add(&Get{regs[0], array, at})
	} else {
		vec := min(len(regs), VecBytes/e.kind.Size())
		for i := 0; i < len(regs); i += vec {
			e.add(&GetVec{regs[i : i+vec], array, at, int64(i)})
		}
	}
	xs := make([]number, count)
	for i := range xs {
		xs[i] = regs[i*int(e.width()):][:e.width()]
	}
	return xs
}

func (e *factorer) keep(array int, at Reg, x number) {
	at = e.times(at, e.width())
	if !e.complex {
		e.put(array, at, x[0])
		return
	}
	e.add(&PutVec{array, at, 0, x})
}
