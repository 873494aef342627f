package kernel

// expansions holds the elementwise operations by the primitives' names.
var expansions = map[string]expansion{
	"neg":  func(x *expander, in []Elem) Elem { return negate(x, in[0]) },
	"abs":  func(x *expander, in []Elem) Elem { return absolute(x, in[0]) },
	"sign": arith(rule{ints: fn1(signInt), floats: fn1(signFloat), pairs: pfn1(signPair)}),

	"add":         arith(rule{ints: fn2((*Builder).Add), floats: fn2((*Builder).Add), pairs: pfn2(addPair)}),
	"add_any":     arith(rule{ints: fn2((*Builder).Add), floats: fn2((*Builder).Add), pairs: pfn2(addPair)}),
	"sub":         arith(rule{ints: fn2((*Builder).Sub), floats: fn2((*Builder).Sub), pairs: pfn2(subPair)}),
	"mul":         arith(rule{ints: fn2((*Builder).Mul), floats: fn2((*Builder).Mul), pairs: pfn2(mulPair)}),
	"div":         divide,
	"rem":         arith(rule{ints: fn2((*Builder).Rem), floats: fn2(remFloat)}),
	"max":         arith(rule{bools: fn2((*Builder).Or), ints: fn2((*Builder).Max), floats: fn2((*Builder).Max), pairs: pfn2(maxPair)}),
	"min":         arith(rule{bools: fn2((*Builder).And), ints: fn2((*Builder).Min), floats: fn2((*Builder).Min), pairs: pfn2(minPair)}),
	"clamp":       arith(rule{bools: clampBool, ints: clamp, floats: clamp}),
	"square":      arith(rule{ints: fn1(squareReal), floats: fn1(squareReal), pairs: pfn1(squarePair)}),
	"integer_pow": integerPow,

	"floor":            arith(rule{floats: fn1((*Builder).Floor)}),
	"ceil":             arith(rule{floats: fn1((*Builder).Ceil)}),
	"round":            round,
	"is_finite":        compared(fn1(isFinite)),
	"nextafter":        nextAfter,
	"reduce_precision": reducePrecision,

	"eq":    compareElems((*Builder).Eq, (*Builder).And),
	"ne":    compareElems((*Builder).Ne, (*Builder).Or),
	"lt":    compared(fn2((*Builder).Lt)),
	"le":    compared(fn2((*Builder).Le)),
	"gt":    compared(fn2((*Builder).Gt)),
	"ge":    compared(fn2((*Builder).Ge)),
	"eq_to": totalOrder((*Builder).Eq),
	"lt_to": totalOrder((*Builder).Lt),
	"le_to": totalOrder((*Builder).Le),

	"not":                    arith(rule{bools: fn1((*Builder).Not), ints: fn1((*Builder).Not)}),
	"and":                    arith(rule{bools: fn2((*Builder).And), ints: fn2((*Builder).And)}),
	"or":                     arith(rule{bools: fn2((*Builder).Or), ints: fn2((*Builder).Or)}),
	"xor":                    arith(rule{bools: fn2((*Builder).Xor), ints: fn2((*Builder).Xor)}),
	"shift_left":             shift(shiftLeft),
	"shift_right_arithmetic": shift(shiftArithmetic),
	"shift_right_logical":    shift(shiftLogical),
	"population_count":       bitCount(populationCount),
	"clz":                    bitCount(leadingZeros),
	"mulhi":                  mulHigh,

	"real":    func(x *expander, in []Elem) Elem { return Elem{in[0].DType.Real(), in[0].Re, NoRef} },
	"imag":    func(x *expander, in []Elem) Elem { return Elem{in[0].DType.Real(), in[0].Im, NoRef} },
	"complex": func(x *expander, in []Elem) Elem { return Elem{x.out, in[0].Re, in[1].Re} },
	"conj":    conjugate,

	"select_n":             selectN,
	"convert_element_type": convertElem,

	"copy":          same,
	"name":          same,
	"stop_gradient": same,
}
