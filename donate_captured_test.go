package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// A program that captured an array which was donated later states so; in any part of it
// the array is used.
func TestDonatedCapturedArray(t *testing.T) {
	y := weft.Scalar(2.)
	for name, use := range map[string]func(x, y weft.Array) weft.Array{
		"operand": func(x, y weft.Array) weft.Array { return y.Add(x) },
		"branch": func(x, y weft.Array) weft.Array {
			return weft.Cond(y.Gt(0), func() weft.Array { return x }, func() weft.Array { return x.Neg() })
		},
		"loop": func(x, y weft.Array) weft.Array {
			return weft.ForI(2, func(_, c weft.Array) weft.Array { return c.Add(x) }, weft.Zeros(3).Mul(y))
		},
		"result": func(x, y weft.Array) weft.Array { return x },
	} {
		x := weft.Ones(3)
		f := weft.Jit(func(y weft.Array) weft.Array { return use(x, y) })
		f(y)
		weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(x)
		_, err := weft.Try(func() weft.Array { return f(y) })
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "captured was donated") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
