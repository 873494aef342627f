package promote

import (
	"fmt"
)

// The lattice of the JAX design document: integers of all widths defer to floats of any width,
// and the join of u64 and a signed integer is a weak float.
const jaxChains = `
	b < i* < u8 < u16 < u32 < u64 < f*
	i* < i8 < i16 < i32 < i64 < f*
	u8 < i16; u16 < i32; u32 < i64
	f* < bf16 < f32 < f64 < c128
	f* < f16 < f32 < c64 < c128
	f* < c* < c64`

// What today's JAX adds to the lattice: leaves, which promote to nothing.
const jaxLeaves = `
	i* < u2; i* < u4; i* < i2; i* < i4
	f* < f4_e2m1fn; f* < f6_e2m3fn; f* < f6_e3m2fn
	f* < f8_e3m4; f* < f8_e4m3; f* < f8_e8m0fnu; f* < f8_e4m3b11fnuz
	f* < f8_e4m3fn; f* < f8_e4m3fnuz; f* < f8_e5m2; f* < f8_e5m2fnuz`

// Strict promotion: only bare numbers promote.
const strictChains = `
	b
	i* < u8; i* < u16; i* < u32; i* < u64
	i* < i8; i* < i16; i* < i32; i* < i64
	i* < f* < c* < c64; c* < c128
	f* < bf16; f* < f16; f* < f32; f* < f64`

// chains32 replaces the edge u32 → i64 by u32 → i32, so that no 64-bit type comes
// from narrower ones.
func chains32(text string) func() *Graph {
	return func() *Graph { return Chains(text).Without("u32 < i64").With("u32 < i32") }
}

// The systems of JAX. JAX is the system by which arrays promote by default: the lattice of 64-bit
// mode over all element types of today.
var (
	JAX       = jax("jax", "jax.numpy, 64-bit lattice, all types of JAX 0.10", chains(jaxChains+jaxLeaves))
	JAX32     = jax("jax32", "jax.numpy, 32-bit lattice, all types of JAX 0.10", chains32(jaxChains+jaxLeaves))
	JAXStrict = strict("jax-strict", "jax.numpy, strict promotion, all types of JAX 0.10", chains(strictChains+jaxLeaves))

	JAXDesign       = jax("jax-design", "jax.numpy, 64-bit, the 18 types of the design document", chains(jaxChains))
	JAXDesign32     = jax("jax-design32", "jax.numpy, 32-bit lattice, the 18 types of the design document", chains32(jaxChains))
	JAXDesignStrict = strict("jax-design-strict", "jax.numpy, strict promotion, the 18 types of the design document", chains(strictChains))
)

func jax(name, about string, draw func() *Graph) *Finite {
	s := lattice(name, about, draw)
	s.extended = true
	s.way = narrowWay
	return s
}

func strict(name, about string, draw func() *Graph) *Finite {
	s := jax(name, about, draw)
	s.way = func(a, b Type) string {
		return fmt.Sprintf("strict promotion mixes no two types, only a type with a bare number of its kind or a lower one: "+
			"convert explicitly, or promote under %s", JAX.name)
	}
	return s
}

// narrowWay returns why a and b do not promote if one of them is a float or integer of few bits, and what to do; else "".
func narrowWay(a, b Type) string {
	for _, t := range []Type{a, b} {
		switch d := t.DType; {
		case t.Weak:
		case d.IsMinorFloat():
			return fmt.Sprintf("floats of %d bits do not promote, lest precision is lost unseen: convert one of them explicitly", d.Bits())
		case d.IsInteger() && d.Bits() < 8:
			return fmt.Sprintf("integers of %d bits do not promote: convert one of them explicitly", d.Bits())
		}
	}
	return ""
}
