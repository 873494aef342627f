package lax_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// Operands that need more axes under a batch get them by broadcast_in_dim, never by reshape, in
// every operation that takes several operands. The expected shapes and axes are those that JAX
// 0.10.2 prints.
func TestVmapTextOfRankLifting(t *testing.T) {
	type a = weft.Array
	x, y, s := weft.Ones(2, 3), weft.Ones(3), weft.Ones(2)
	const one = "1,3 by 1"
	for name, c := range map[string]struct {
		f    any
		args []any
		want string // shapes and axes of all broadcasts
	}{
		"sub": {func(x, y a) a { return weft.Vmap(func(v a) a { return lax.Sub(v, y) })(x) }, []any{x, y}, one},
		"sub, mapped right": {func(x, y a) a { return weft.Vmap(func(v a) a { return lax.Sub(y, v) })(x) },
			[]any{x, y}, one},
		"atan2": {func(x, y a) a { return weft.Vmap(func(v a) a { return lax.Atan2(v, y) })(x) }, []any{x, y}, one},
		"lt":    {func(x, y a) a { return weft.Vmap(func(v a) a { return lax.Lt(v, y) })(x) }, []any{x, y}, one},
		"clamp": {func(x, y a) a { return weft.Vmap(func(v a) a { return lax.Clamp(y, v, y) })(x) }, []any{x, y}, "2,3 by 1; 2,3 by 1"},
		"select": {func(x, y, c a) a { return weft.Vmap(func(v a) a { return lax.Select(c, v, y) })(x) },
			[]any{x, y, y.Gt(0)}, "2,3 by 1; 2,3 by 1"},
		"select of a mapped scalar": {func(c, y a) a { return weft.Vmap(func(c a) a { return lax.Select(c, y, y) })(c) },
			[]any{s.Gt(0), y}, "2,3 by 1; 2,3 by 1; 2,3 by 0"},
		"jit": {func(x, y a) a { return weft.Vmap(weft.Jit(func(v a) a { return lax.Sub(v, y) }))(x) }, []any{x, y}, one},
		"two batches": {func(x, y a) a {
			return weft.Vmap(weft.Vmap(func(v a) a { return lax.Sub(v, y) }))(x)
		}, []any{weft.Ones(2, 4, 3), y}, "1,3 by 1; 1,1,3 by 1, 2"},
		"second axis": {func(x, y a) a {
			return weft.Vmap(func(v a) a { return lax.Sub(v, y) }, weft.In(1))(x)
		}, []any{weft.Ones(3, 2), y}, one},
	} {
		ir, err := weft.Jaxpr(c.f, c.args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := ir.String()
		if strings.Contains(text, "reshape") {
			t.Errorf("%s: got a reshape, want broadcast_in_dim:\n%s", name, text)
		}
		var got []string
		for _, m := range broadcast.FindAllStringSubmatch(text, -1) {
			got = append(got, m[1]+" by "+strings.TrimSuffix(m[2], ","))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: got broadcasts %q, want %q:\n%s", name, got, c.want, text)
		}
	}
}

// broadcast matches an equation that broadcasts: the shape of its result and the axes of its operand.
var broadcast = regexp.MustCompile(`\w+:\w+\[([\d,]+)\] = broadcast_in_dim\[\s*broadcast_dimensions=\(([\d, ]*)\)`)
