package weft

// arrays2 and arrays3 are the parameters of functions of two and three arrays.
type (
	arrays2 struct{ X, Y Array }
	arrays3 struct{ X, Y, Z Array }
)

// CustomJVP2 returns [CustomJVP] of a function of two arrays. The rule takes the
// arguments and then their tangents.
func CustomJVP2[O any](f func(x, y Array) O, rule func(x, y, tx, ty Array) (O, O), names ...NameOption) func(x, y Array) O {
	functions("CustomJVP2", f, rule)
	c := newCustom[arrays2, O]("CustomJVP2", func(p arrays2) O { return f(p.X, p.Y) }, namesOf(names, f, rule))
	prim := c.jvp(func(p, t arrays2) (O, O) { return rule(p.X, p.Y, t.X, t.Y) })
	return func(x, y Array) O { return c.call(arrays2{x, y}, prim) }
}

// CustomJVP3 returns [CustomJVP] of a function of three arrays.
func CustomJVP3[O any](f func(x, y, z Array) O, rule func(x, y, z, tx, ty, tz Array) (O, O), names ...NameOption) func(x, y, z Array) O {
	functions("CustomJVP3", f, rule)
	c := newCustom[arrays3, O]("CustomJVP3", func(p arrays3) O { return f(p.X, p.Y, p.Z) }, namesOf(names, f, rule))
	prim := c.jvp(func(p, t arrays3) (O, O) { return rule(p.X, p.Y, p.Z, t.X, t.Y, t.Z) })
	return func(x, y, z Array) O { return c.call(arrays3{x, y, z}, prim) }
}

// CustomVJP2 returns [CustomVJP] of a function of two arrays.
func CustomVJP2[R, O any](f func(x, y Array) O, fwd func(x, y Array) (O, R), bwd func(R, O) (x, y Array), names ...NameOption) func(x, y Array) O {
	functions("CustomVJP2", f, fwd, bwd)
	c := newCustom[arrays2, O]("CustomVJP2", func(p arrays2) O { return f(p.X, p.Y) }, namesOf(names, f, fwd, bwd))
	prim := reverse(c, formOf[R]("CustomVJP2"), func(p, _ arrays2) (O, R) { return fwd(p.X, p.Y) }, func(r R, ct O) arrays2 {
		x, y := bwd(r, ct)
		return arrays2{x, y}
	})
	return func(x, y Array) O {
		p := arrays2{x, y}
		return c.call(p, prim(&p))
	}
}

// CustomVJP3 returns [CustomVJP] of a function of three arrays.
func CustomVJP3[R, O any](f func(x, y, z Array) O, fwd func(x, y, z Array) (O, R), bwd func(R, O) (x, y, z Array), names ...NameOption) func(x, y, z Array) O {
	functions("CustomVJP3", f, fwd, bwd)
	c := newCustom[arrays3, O]("CustomVJP3", func(p arrays3) O { return f(p.X, p.Y, p.Z) }, namesOf(names, f, fwd, bwd))
	prim := reverse(c, formOf[R]("CustomVJP3"), func(p, _ arrays3) (O, R) { return fwd(p.X, p.Y, p.Z) }, func(r R, ct O) arrays3 {
		x, y, z := bwd(r, ct)
		return arrays3{x, y, z}
	})
	return func(x, y, z Array) O {
		p := arrays3{x, y, z}
		return c.call(p, prim(&p))
	}
}
