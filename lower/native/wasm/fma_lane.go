package wasm

// A term pushes an i64, or an i32 that is a condition.
type term func()

// terms returns functions that make terms from locals, from numbers, and from operations on terms.
func (b *builder) terms() (local func(int32) term, number func(int64) term, of func(op byte, args ...term) term) {
	local = func(l int32) term { return func() { b.get(l) } }
	number = func(n int64) term { return func() { b.const64(n) } }
	of = func(op byte, args ...term) term {
		return func() {
			for _, a := range args {
				a()
			}
			b.op(op)
		}
	}
	return local, number, of
}

// fusedLane computes x·y + z of the bits of three f64 in numbers of 128 bits.
func (w *writer) fusedLane() function {
	w.begin()
	b := &builder{w, 3}
	v, n, of := b.terms()
	add := func(x, y term) term { return of(i64Add, x, y) }
	sub := func(x, y term) term { return of(i64Sub, x, y) }
	and := func(x, y term) term { return of(i64And, x, y) }
	or := func(x, y term) term { return of(i64Or, x, y) }
	shl := func(x, y term) term { return of(i64Shl, x, y) }
	shr := func(x, y term) term { return of(i64ShrU, x, y) }
	flag := func(c term) term { return of(extendU, c) } // 0 or 1
	choose := func(c, x, y term) term { return of(opSelect, x, y, c) }
	nonzero := func(x term) term { return of(i64Ne, x, n(0)) }
	set := func(l int32, x term) {
		x()
		w.put(l)
	}
	when := func(c term, then func()) {
		c()
		w.block(opIf, typeEmpty)
		then()
		w.op(opEnd)
	}
	done := func(x term) {
		x()
		w.op(opReturn)
	}
	float := func(l int32) term { return of(f64FromBits, v(l)) }

	const x, y, z = 0, 1, 2
	const most = 0x7ff
	magnitude := func(l int32) term { return and(v(l), n(1<<63-1)) }
	exponent := func(l int32) term { return and(shr(v(l), n(52)), n(most)) }
	// z is the result if it is an infinity or a NaN and x and y are finite: their product, rounded, may overflow.
	when(of(i64Eq, exponent(z), n(most)), func() {
		when(of(i64Ne, exponent(x), n(most)), func() {
			when(of(i64Ne, exponent(y), n(most)), func() { done(v(z)) })
		})
	})
	// Zeros, infinities and NaNs: at most one rounding takes place.
	plain := of(i64Eqz, magnitude(x))
	plain = of(i32Or, plain, of(i64Eqz, magnitude(y)))
	for l := range int32(3) {
		plain = of(i32Or, plain, of(i64Eq, exponent(l), n(most)))
	}
	when(plain, func() { done(of(bitsOfF64, of(f64Add, of(f64Mul, float(x), float(y)), float(z)))) })
	when(of(i64Eqz, magnitude(z)), func() { done(of(bitsOfF64, of(f64Mul, float(x), float(y)))) })

	// Integers m of 53 bits and exponents e: a number is ±m·2^(e − 1075).
	var m, e [3]int32
	for l := range int32(3) {
		e[l] = b.let(exponent(l))
		m[l] = b.let(and(v(l), n(1<<52-1)))
		v(e[l])()
		w.op(i64Eqz)
		w.block(opIf, typeEmpty)
		k := b.let(sub(of(i64Clz, v(m[l])), n(11)))
		set(m[l], shl(v(m[l]), v(k)))
		set(e[l], sub(n(1), v(k)))
		w.op(opElse)
		set(m[l], or(v(m[l]), n(1<<52)))
		w.op(opEnd)
	}
	// a = x·y and c = z in two words each, times 2^ea and 2^ec, below 2¹²⁶.
	f, g := b.let(shl(v(m[x]), n(10))), b.let(shl(v(m[y]), n(10)))
	word := n(1<<32 - 1)
	high := func(l int32) term { return shr(v(l), n(32)) }
	low := func(l int32) term { return and(v(l), word) }
	mul := func(p, q term) term { return of(i64Mul, p, q) }
	alow := b.let(mul(v(f), v(g)))
	first := b.let(add(mul(high(f), low(g)), shr(mul(low(f), low(g)), n(32))))
	second := b.let(add(mul(low(f), high(g)), low(first)))
	ahigh := b.let(add(mul(high(f), high(g)), add(high(first), high(second))))
	ea := b.let(sub(add(v(e[x]), v(e[y])), n(2*1085)))
	as := b.let(shr(of(i64Xor, v(x), v(y)), n(63)))
	chigh, clow := b.let(shl(v(m[z]), n(9))), b.let(n(0))
	ec := b.let(sub(v(e[z]), n(1075+9+64)))
	cs := b.let(shr(v(z), n(63)))
	// c has the lesser exponent. It is shifted to the exponent of a; its last bit is 1 where bits are lost.
	when(of(i64LtS, v(ea), v(ec)), func() {
		for _, p := range [...][2]int32{{ahigh, chigh}, {alow, clow}, {ea, ec}, {as, cs}} {
			t := b.let(v(p[0]))
			set(p[0], v(p[1]))
			set(p[1], v(t))
		}
	})
	shift := b.let(sub(v(ea), v(ec)))
	set(shift, choose(of(i64LtU, v(shift), n(127)), v(shift), n(127)))
	lost := b.let(n(0))
	when(of(i64GeU, v(shift), n(64)), func() {
		set(lost, v(clow))
		set(clow, v(chigh))
		set(chigh, n(0))
		set(shift, sub(v(shift), n(64)))
	})
	below := func(l, bits int32) term { return and(v(l), sub(shl(n(1), v(bits)), n(1))) }
	set(lost, or(v(lost), below(clow, shift)))
	set(clow, or(shr(v(clow), v(shift)), shl(shl(v(chigh), n(1)), sub(n(63), v(shift)))))
	set(chigh, shr(v(chigh), v(shift)))
	set(clow, or(v(clow), flag(nonzero(v(lost)))))
	// a ± c, whose sign replaces the sign of a.
	v(as)()
	v(cs)()
	w.op(i64Eq)
	w.block(opIf, typeEmpty)
	set(alow, add(v(alow), v(clow)))
	set(ahigh, add(add(v(ahigh), v(chigh)), flag(of(i64LtU, v(alow), v(clow)))))
	w.op(opElse)
	borrow := b.let(flag(of(i64LtU, v(alow), v(clow))))
	set(alow, sub(v(alow), v(clow)))
	set(ahigh, sub(sub(v(ahigh), v(chigh)), v(borrow)))
	when(of(i64LtS, v(ahigh), n(0)), func() {
		set(as, of(i64Xor, v(as), n(1)))
		set(alow, sub(n(0), v(alow)))
		set(ahigh, sub(sub(n(0), v(ahigh)), flag(nonzero(v(alow)))))
	})
	when(of(i64Eqz, or(v(alow), v(ahigh))), func() { done(n(0)) })
	w.op(opEnd)
	// The highest bit moves to the top of the higher word; r is the exponent of the result.
	r := b.let(add(v(ea), n(127+1023)))
	when(of(i64Eqz, v(ahigh)), func() {
		set(ahigh, v(alow))
		set(alow, n(0))
		set(r, sub(v(r), n(64)))
	})
	k := b.let(of(i64Clz, v(ahigh)))
	set(ahigh, or(shl(v(ahigh), v(k)), shr(shr(v(alow), n(1)), sub(n(63), v(k)))))
	set(alow, shl(v(alow), v(k)))
	set(r, sub(v(r), v(k)))
	// A subnormal result has fewer bits.
	when(of(i64LtS, v(r), n(1)), func() {
		s := b.let(sub(n(1), v(r)))
		set(s, choose(of(i64LtU, v(s), n(60)), v(s), n(60)))
		set(alow, or(v(alow), below(ahigh, s)))
		set(ahigh, shr(v(ahigh), v(s)))
		set(r, n(1))
	})
	sign := shl(v(as), n(63))
	when(of(i64GeS, v(r), n(most)), func() { done(or(sign, n(most<<52))) })
	// To nearest even: up where the next bit is set and another one below it, or the last one above it.
	mantissa := b.let(shr(v(ahigh), n(11)))
	others := or(flag(nonzero(or(and(v(ahigh), n(1<<10-1)), v(alow)))), v(mantissa))
	up := and(and(shr(v(ahigh), n(10)), others), n(1))
	add(add(shl(sub(v(r), n(1)), n(52)), v(mantissa)), add(up, sign))()
	types := []byte{typeI64, typeI64, typeI64}
	return w.finish(types, types[:1], [numLocals]int32{wideLocal: b.next - 3})
}
