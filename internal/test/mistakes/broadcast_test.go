package mistakes_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
)

// Functions of two operands whose shapes do not spread name the types that the user
// has, and the user's name of the function, within Vmap, too.
func TestErrorsOfBroadcasts(t *testing.T) {
	type A = weft.Array
	num := func(f func(a, b A) A) func(a, b A) A { return f }
	is := func(f func(a, b A) A) func(a, b A) A {
		return func(a, b A) A { return f(a.AsType(weft.Int32), b.AsType(weft.Int32)) }
	}
	for name, f := range map[string]func(a, b A) A{
		"Add": func(a, b A) A { return a.Add(b) }, "Sub": func(a, b A) A { return a.Sub(b) }, "Mul": func(a, b A) A { return a.Mul(b) },
		"Div": func(a, b A) A { return a.Div(b) }, "FloorDiv": num(weft.FloorDiv[A, A]), "Mod": num(weft.Mod[A, A]), "Rem": num(weft.Rem[A, A]),
		"Pow": num(weft.Pow[A, A]), "Eq": num(weft.Eq[A, A]), "Ne": num(weft.Ne[A, A]), "Lt": num(weft.Lt[A, A]), "Ge": num(weft.Ge[A, A]),
		"Maximum": num(weft.Maximum[A, A]), "Minimum": num(weft.Minimum[A, A]), "Fmax": num(weft.Fmax[A, A]), "Atan2": num(weft.Atan2[A, A]),
		"Nextafter": num(weft.Nextafter[A, A]), "LogAddExp": num(weft.LogAddExp[A, A]), "Hypot": num(weft.Hypot[A, A]),
		"Copysign": num(weft.Copysign[A, A]), "Heaviside": num(weft.Heaviside[A, A]),
		"LogicalAnd": num(weft.LogicalAnd[A, A]), "IsClose": func(a, b A) A { return weft.IsClose(a, b, 1e-5, 1e-8) },
		"Where": func(a, b A) A { return weft.Where(a.Gt(0), a, b) }, "Clip": func(a, b A) A { return weft.Clip(a, 0, b) },
		"And": is(func(a, b A) A { return a.And(b) }), "Shl": is(func(a, b A) A { return a.Shl(b) }), "Gcd": is(weft.Gcd[A, A]),
	} {
		for _, c := range []struct {
			f    func()
			want []string
		}{
			{func() { f(weft.Ones(2, 3), weft.Ones(2)) }, []string{"32[2,3]", "32[2]"}},
			{func() { f(weft.Ones(2, 3), weft.Ones(3, 3)) }, []string{"32[2,3]", "32[3,3]"}},
			{func() { weft.Vmap(func(r A) A { return f(r, weft.Ones(2)) })(weft.Ones(2, 3)) }, []string{"32[3]", "32[2]"}},
			{func() { weft.Vmap(f)(weft.Ones(5, 4, 3), weft.Ones(5, 4)) }, []string{"32[4,3]", "32[4]"}},
			{func() { weft.Jit(weft.Vmap(f))(weft.Ones(5, 4, 3), weft.Ones(5, 4)) }, []string{"32[4,3]", "32[4]"}},
		} {
			_, err := weft.Try(func() int { c.f(); return 0 })
			if err == nil || !strings.Contains(err.Error(), "broadcast_test.go:") || !strings.Contains(err.Error(), ": "+name+": ") || !strings.Contains(err.Error(), "; make them equal") {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v\nholds no %q", name, err, want)
				}
			}
		}
	}
	// Functions of three operands name all of them, also where the first two spread over one shape.
	for name, f := range map[string]func(a, b, c A) A{
		"Clip":  func(a, b, c A) A { return weft.Clip(a, b, c) },
		"Where": func(a, b, c A) A { return weft.Where(a.Gt(0), b, c) },
	} {
		testcheck.Fails(t, core.ErrShape, func() { f(weft.Ones(1), weft.Ones(2, 3), weft.Ones(2)) },
			"broadcast_test.go:", ": "+name+": ", "[1]", "f32[2,3]", "f32[2]", "; make them equal")
	}
	// So do the strict ones of package lax, which have names of their own.
	for _, c := range []struct {
		f    func(r A) A
		want string
	}{
		{func(r A) A { return lax.Add(r, weft.Ones(2)) }, ": add: the operands' sizes along axis 0 must agree or be 1, got f32[3] and f32[2]; "},
		{func(r A) A { return lax.Add(r, r.Sum().Reshape(1, 1)) }, ": add: the operands' ranks must agree, got f32[3] and f32[1,1]; "},
		{func(r A) A { return lax.Clamp(r, weft.Ones(2), r) }, ": clamp: the lower bound must be a scalar or have the operand's shape, got f32[3] and f32[2]"},
		{func(r A) A { return lax.Concatenate(0, r, weft.Ones(2, 2)) }, "f32[3]"},
	} {
		_, err := weft.Try(func() A { return weft.Vmap(c.f)(weft.Ones(2, 3)) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nholds no %q", err, c.want)
		}
	}
}
