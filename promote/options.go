package promote

// The graphs of the design document, in the order in which it arrives at them.

// withinCategory: nothing promotes out of its category.
const withinCategory = `
	u8 < u16 < u32 < u64
	i8 < i16 < i32 < i64
	f16 < f32 < f64
	c64 < c128`

// merged: bare numbers are below everything of their kind or a higher one.
const merged = withinCategory + `
	i* < u8; i* < i8; i* < f* < f16
	f* < c* < c64`

// Floats go into complex numbers, unsigned integers into signed ones.
const (
	floatComplex   = merged + "; f32 < c64; f64 < c128"
	signedUnsigned = floatComplex + "; u8 < i16; u16 < i32; u32 < i64"
)

// Integers go into floats: into the next float that represents them without loss
// (option 1), of the same width (option 2), or into any (option 3).
const (
	option1 = signedUnsigned + "; i8 < f16; i16 < f32; i32 < f64"
	option2 = signedUnsigned + "; i16 < f16; i32 < f32; i64 < f64"
)

func option3() *Graph { return Chains(signedUnsigned + "; i64 < f*").Without("i* < f*") }

// The systems of the design document.
var (
	Python               = lattice("python", "Python's numbers", chains("int < float < complex"))
	PythonStar           = lattice("python-star", "Python's numbers as they enter other systems", chains("i* < f* < c*"))
	WithinCategory       = lattice("within-category", "four chains: nothing leaves its category", chains(withinCategory))
	WithinCategoryStar   = lattice("within-category-star", "four chains with the bare numbers below them", chains(withinCategory+"; u* < u8; i* < i8; f* < f16; c* < c64"))
	NumPySigned          = exactly(lattice("numpy-signed", "NumPy 1's signed integers, scalars below arrays, values ignored", chains("i8* < i16* < i32* < i64* < i8 < i16 < i32 < i64")))
	PartialMerged        = lattice("partial-merged", "bare numbers below everything of their kind or higher", chains(merged))
	PartialFloatComplex  = lattice("partial-float-complex", "the same, and floats go into complex numbers", chains(floatComplex))
	Option0              = lattice("option0", "integers and floats do not mix", chains(signedUnsigned))
	Naive                = lattice("naive", "every integer goes into the float of twice its width, nearly NumPy's rule: no lattice", chains(option1+"; u8 < f16; u16 < f32; u32 < f64"))
	Option1              = lattice("option1", "integers go into floats that hold them exactly", chains(option1))
	Option1Completed     = lattice("option1-completed", "option 1 with 64-bit integers going into f64", chains(option1+"; i64 < f64; u64 < f64"))
	Option2              = lattice("option2", "integers go into floats of their width", chains(option2))
	Option2U64           = lattice("option2-u64", "option 2 with u64 going into f64", chains(option2+"; u64 < f64"))
	Option3              = lattice("option3", "integers go into floats of any width", option3)
	Option3BF16          = lattice("option3-bf16", "option 3 with bf16 beside f16", func() *Graph { return option3().With("f* < bf16 < f32") })
	Option3U64           = lattice("option3-u64", "option 3 with u64 going into f*", func() *Graph { return option3().With("u64 < f*") })
	JAXDesignWithoutBool = jax("jax-design-nobool", "the lattice as the design document prints it, without bool", func() *Graph { return Chains(jaxChains).Without("b") })
	JAXLax               = lax()

	// Two graphs that are not lattices.
	NonlatticeLeft  = lattice("nonlattice-left", "two nodes without an upper bound", chains("A < B; A < C"))
	NonlatticeRight = lattice("nonlattice-right", "two nodes with two minimal upper bounds", chains("A < C; A < D; B < C; B < D"))
)

// lax returns jax.lax, which does not promote: a bare number is accepted only next to
// its own 64-bit type. Bool is missing because the operation of the table, add,
// does not take it.
func lax() *Finite {
	s := lattice("jax-lax", "jax.lax with add: no promotion; no bool, which add does not take",
		chains("u8; u16; u32; u64; i8; i16; i32; i* < i64; bf16; f16; f32; f* < f64; c64; c* < c128"))
	s.extended = true
	s.way = func(a, b Type) string {
		return "lax does not promote: convert one of them explicitly, or use the functions of weft, which promote"
	}
	return s
}

// exactly marks a lattice in which every weak type has a node of its own.
func exactly(s *Finite) *Finite {
	s.exact = true
	return s
}
