package promotion_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/promote"
)

// The page of MAX is about the sum of an i16 and an f32: "what dtype does this
// have?!"
func ExampleImplicitCast() {
	weft.With(weft.Promotion(promote.MAX), func() {
		f := func(x, y weft.Array) (weft.Array, weft.Array) {
			x, y = weft.ImplicitCast(x, y)
			return x, x.Add(y)
		}
		fmt.Println(weft.Jaxpr(f, int16(1), float32(1)))
		fmt.Println(weft.Jaxpr(f, float32(1), float32(1)))
	})
	// Output:
	// { lambda ; a:i16[] b:f32[]. let
	//     c:f32[] = convert_element_type[new_dtype=float32 weak_type=False] a
	//     d:f32[] = add c b
	//   in (c, d) } <nil>
	// { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (a, c) } <nil>
}

// Under MAX a program has a cast for an operand exactly where its type is not the common
// one, in front of the operation, and refuses what MAX does not promote.
func TestImplicitCastInPrograms(t *testing.T) {
	statement.Shows(t, "M-5", "bf16 with f16 computes in bf16, and a cast first computes in f16")
	statement.Shows(t, "M-6", "ImplicitCast refuses types without a promotion and names both")
	statement.Shows(t, "M-7", "ImplicitCast converts only the operand whose type differs")
	names := append(promote.MAX.Algebra().Names(), "c64", "c128", "f8_e4m3fn", "i4")
	casts, refused := 0, 0
	for _, l := range names {
		for _, r := range names {
			x, okX := core.ParseDType(l)
			y, okY := core.ParseDType(r)
			if l == "b" {
				x, okX = core.Bool, true
			}
			if r == "b" {
				y, okY = core.Bool, true
			}
			if !okX || !okY {
				continue // index, address and tf32 are types of no array
			}
			want, castL, castR, wantErr := promote.ImplicitCast(x, y)
			var ir *weft.IR
			var err error
			var dt weft.DType
			weft.With(weft.Promotion(promote.MAX), func() {
				ir, err = weft.Jaxpr(func(a, b weft.Array) (weft.Array, weft.Array) {
					a, b = weft.ImplicitCast(a, b)
					return a, b
				}, weft.ZerosOf(x, 2), weft.ZerosOf(y))
				if wantErr == nil {
					cast, _ := weft.ImplicitCast(weft.ZerosOf(x, 2), weft.ZerosOf(y))
					dt = cast.DType()
				}
			})
			if wantErr != nil {
				refused++
				if !errors.Is(err, core.ErrPromotion) || !strings.Contains(err.Error(), fmt.Sprintf("no legal promotion for (%s, %s)", promote.Strong(x), promote.Strong(y))) {
					t.Errorf("%s and %s: %v", l, r, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s and %s: %v", l, r, err)
				continue
			}
			var expect []string
			for i, cast := range []bool{castL, castR} {
				if cast {
					casts++
					expect = append(expect, fmt.Sprintf("convert_element_type %v%s", want, []string{"[2]", "[]"}[i]))
				}
			}
			if got := written(ir); !slices.Equal(got, expect) || dt != want {
				t.Errorf("%s and %s: %v, want %v", l, r, got, expect)
			}
		}
	}
	if casts < 150 || refused < 100 {
		t.Errorf("only %d casts and %d refusals", casts, refused)
	}
}

// addStrictly adds what has one type.
func addStrictly(a, b weft.Array) weft.Array {
	if a.DType() == weft.Bool {
		return weft.FromValue(prim.Or(a.Value(), b.Value()))
	}
	return weft.FromValue(prim.Add(a.Value(), b.Value()))
}

// Operators do nothing else: after the cast there is nothing left to convert, under
// every system in which the common type is combined with itself.
func TestImplicitCastMatchesOperators(t *testing.T) {
	race.Values(t)
	pairs := 0
	for _, s := range promote.Systems() {
		weft.With(weft.Promotion(s), func() {
			for _, x := range operands(s) {
				for _, y := range operands(s) {
					if x.constant() || y.constant() {
						continue
					}
					a, b := x.v.(weft.Array), y.v.(weft.Array)
					direct, err := weft.Jaxpr(weft.Array.Add, a, b)
					cast, err2 := weft.Jaxpr(func(a, b weft.Array) weft.Array {
						a, b = weft.ImplicitCast(a, b)
						return addStrictly(a, b)
					}, a, b)
					if (err == nil) != (err2 == nil) {
						t.Errorf("%s: %s and %s: %v, %v", s.Name(), x, y, err, err2)
						continue
					}
					if err == nil && !slices.Equal(written(direct), written(cast)) {
						t.Errorf("%s: %s and %s:\n%v\n%v", s.Name(), x, y, direct, cast)
					}
					pairs++
				}
			}
		})
	}
	if pairs < 5000 {
		t.Errorf("only %d pairs", pairs)
	}
	a, b := weft.ImplicitCast(weft.Of(int8(1)), 2)
	if arraycheck.TypeText(a) != "i8[1]" || arraycheck.TypeText(b) != "i8[]" || b.Int() != 2 {
		t.Errorf("%s, %s", arraycheck.TypeText(a), arraycheck.TypeText(b))
	}
	if a, _ := weft.ImplicitCast(weft.Of(int64(1)), 1.5); a.DType() != weft.Float32 || !a.Weak() {
		t.Errorf("%v %v", a.DType(), a.Weak())
	}
}
