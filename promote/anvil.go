package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// Anvil is the system of the R package anvil. Its types are pairs of an element type and a flag,
// ambiguous, that literals set; Type.Weak is that flag, and an ambiguous type of any width is a
// type of its own: i16?.
var Anvil = &Finite{
	name:  "anvil",
	about: "anvil (R): known and ambiguous types",
	exact: true,
	make: func() (*Algebra, error) {
		types := anvilTypes()
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = anvilElement(t)
		}
		a := newAlgebra(names)
		for i, l := range types {
			for j, r := range types {
				a.set(i, j, int16(a.index[anvilElement(anvilPair(l, r))]))
			}
		}
		return a, nil
	},
	element: func(a *Algebra, t Type) int {
		if i, ok := a.index[anvilElement(t)]; ok {
			return i
		}
		return -1
	},
	typeOf: func(name string) (Type, bool) {
		base, ambiguous := strings.CutSuffix(name, "?")
		t, ok := ParseType(base)
		return Type{t.DType, ambiguous}, ok
	},
}

// AnvilKnown is anvil among known types, as the lattice that its table implies.
// That u64 goes into i64, which cannot hold it, is accepted by design.
var AnvilKnown = lattice("anvil-known", "anvil among known types, as a lattice", chains(`
	b < i8 < i16 < i32 < i64 < f32 < f64
	b < u8 < u16 < u32 < u64 < i64
	u8 < i16; u16 < i32; u32 < i64`))

// anvilTypes returns the known types and then the ambiguous ones.
func anvilTypes() []Type {
	var out []Type
	for _, weak := range []bool{false, true} {
		for _, d := range []core.DType{core.Bool, core.Int8, core.Int16, core.Int32, core.Int64,
			core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Float32, core.Float64} {
			out = append(out, Type{d, weak})
		}
	}
	return out
}

// AnvilName writes a type as anvil does: i32?, f32, bool.
func AnvilName(t Type) string {
	if t.Weak {
		return t.DType.String() + "?"
	}
	return t.DType.String()
}

// anvilElement returns AnvilName with b for bool, as in the tables.
func anvilElement(t Type) string {
	if n, ok := strings.CutPrefix(AnvilName(t), "bool"); ok {
		return "b" + n
	}
	return AnvilName(t)
}

// CommonDType returns anvil's common_dtype: what l and r promote to. la and ra say whether l and r
// are ambiguous.
func CommonDType(l, r core.DType, la, ra bool) (d core.DType, ambiguous bool, err error) {
	t, err := Anvil.Join(Type{l, la}, Type{r, ra})
	return t.DType, t.Weak, err
}

// CommonType returns what one or more types promote to in anvil, joined from the left.
func CommonType(types ...Type) (Type, error) {
	if len(types) == 0 {
		return Type{}, errNoOperands(Anvil)
	}
	t := types[0]
	for _, u := range types[1:] {
		var err error
		if t, err = Anvil.Join(t, u); err != nil {
			return Type{}, err
		}
	}
	return t, nil
}

// anvilPair is the rule from which Anvil's table is computed.
func anvilPair(l, r Type) Type {
	switch {
	case l.Weak == r.Weak:
		return Type{anvilKnown(l.DType, r.DType), l.Weak}
	case r.Weak:
		return anvilMixed(r.DType, l.DType)
	}
	return anvilMixed(l.DType, r.DType)
}

// anvilMixed: the known type wins, except that an ambiguous float wins over a type that is not a
// float, and any ambiguous type over bool.
func anvilMixed(ambiguous, known core.DType) Type {
	d := known
	if ambiguous.IsFloat() && !known.IsFloat() || known.IsBool() {
		d = ambiguous
	}
	return Type{d, d == ambiguous && d != known}
}

// anvilKnown: floats before integers before bool, the wider of a kind, and for
// signed iA with unsigned uB the signed type that represents both, at most i64.
func anvilKnown(a, b core.DType) core.DType {
	if a.IsBool() || b.IsFloat() && !a.IsFloat() || a.Kind() == b.Kind() && a.Bits() < b.Bits() {
		return b
	}
	if b.IsBool() || a.IsFloat() || a.Kind() == b.Kind() {
		return a
	}
	if a.IsUnsigned() {
		a, b = b, a
	}
	if a.Bits() > b.Bits() {
		return a
	}
	switch b {
	case core.Uint8:
		return core.Int16
	case core.Uint16:
		return core.Int32
	}
	return core.Int64
}

// AnvilLiteral returns the type of a literal: f32? for a float, i32? for an integer,
// and bool, which is not ambiguous.
func AnvilLiteral(v any) (Type, error) {
	switch v.(type) {
	case float64:
		return Type{core.Float32, true}, nil
	case int:
		return Type{core.Int32, true}, nil
	case bool:
		return Type{core.Bool, false}, nil
	}
	return Type{}, &Error{System: Anvil.name, Why: fmt.Sprintf("No default type for: %T", v), Way: "literals are float64, int and bool"}
}
