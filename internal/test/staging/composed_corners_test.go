package staging_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

// composed are the expressions of the records, in Go, with how many ulps of the largest element of the
// result they may differ from JAX's: 0 where every operation is exact, else what they differ by, rounded up
// to ½, 1 or 4. The order of a sum, or the last bit of a function, differs.
var composed = map[string]struct {
	f    func(a []weft.Array) weft.Array
	ulps float64
}{
	"lambda x, y, z: x * y + z":                   {func(a []weft.Array) weft.Array { return a[0].Mul(a[1]).Add(a[2]) }, 0},
	"lambda x, y, z: x * y - z":                   {func(a []weft.Array) weft.Array { return a[0].Mul(a[1]).Sub(a[2]) }, 0},
	"lambda x, y, z: z - x * y":                   {func(a []weft.Array) weft.Array { return a[2].Sub(a[0].Mul(a[1])) }, 0},
	"lambda x, y: x * y + x * x":                  {func(a []weft.Array) weft.Array { return a[0].Mul(a[1]).Add(a[0].Mul(a[0])) }, 0},
	"lambda x: jnp.log(jnp.exp(x))":               {func(a []weft.Array) weft.Array { return weft.Log(weft.Exp(a[0])) }, 0.5},
	"lambda x: jnp.exp(jnp.log(x))":               {func(a []weft.Array) weft.Array { return weft.Exp(weft.Log(a[0])) }, 0.5},
	"lambda x: jnp.log(jnp.sqrt(x))":              {func(a []weft.Array) weft.Array { return weft.Log(weft.Sqrt(a[0])) }, 0.5},
	"lambda x: jnp.sqrt(x) * jnp.sqrt(x)":         {func(a []weft.Array) weft.Array { return weft.Sqrt(a[0]).Mul(weft.Sqrt(a[0])) }, 0},
	"lambda x: x / 3":                             {func(a []weft.Array) weft.Array { return a[0].Div(3) }, 1},
	"lambda x, y: x / y * y":                      {func(a []weft.Array) weft.Array { return a[0].Div(a[1]).Mul(a[1]) }, 0},
	"lambda x, y: x * (1 / y)":                    {func(a []weft.Array) weft.Array { return a[0].Mul(weft.Scalar(1).Div(a[1])) }, 0},
	"lambda x: 1 / jnp.sqrt(x)":                   {func(a []weft.Array) weft.Array { return weft.Scalar(1).Div(weft.Sqrt(a[0])) }, 0},
	"lambda x: jnp.sqrt(x * x)":                   {func(a []weft.Array) weft.Array { return weft.Sqrt(a[0].Mul(a[0])) }, 0},
	"lambda x: x ** 2.0":                          {func(a []weft.Array) weft.Array { return a[0].Pow(2.) }, 0},
	"lambda x: x ** 0.5":                          {func(a []weft.Array) weft.Array { return a[0].Pow(0.5) }, 0.5},
	"lambda x: x ** 3":                            {func(a []weft.Array) weft.Array { return a[0].Pow(3) }, 0.5},
	"lambda x, y: (x + y) - x":                    {func(a []weft.Array) weft.Array { return a[0].Add(a[1]).Sub(a[0]) }, 0},
	"lambda x: x + x + x":                         {func(a []weft.Array) weft.Array { return a[0].Add(a[0]).Add(a[0]) }, 0},
	"lambda x: x * 2 * 3":                         {func(a []weft.Array) weft.Array { return a[0].Mul(2).Mul(3) }, 0},
	"lambda x: -(-x)":                             {func(a []weft.Array) weft.Array { return a[0].Neg().Neg() }, 0},
	"lambda x: x - x":                             {func(a []weft.Array) weft.Array { return a[0].Sub(a[0]) }, 0},
	"lambda x: jnp.sin(x) ** 2 + jnp.cos(x) ** 2": {func(a []weft.Array) weft.Array { return weft.Square(weft.Sin(a[0])).Add(weft.Square(weft.Cos(a[0]))) }, 1},
	"lambda x: jnp.tanh(x) * 0.5 + 0.5":           {func(a []weft.Array) weft.Array { return weft.Tanh(a[0]).Mul(0.5).Add(0.5) }, 1},
	"lambda x, y: jnp.exp(x) * jnp.exp(y)":        {func(a []weft.Array) weft.Array { return weft.Exp(a[0]).Mul(weft.Exp(a[1])) }, 0.5},
	"lambda x, y: jnp.exp(x) / jnp.exp(y)":        {func(a []weft.Array) weft.Array { return weft.Exp(a[0]).Div(weft.Exp(a[1])) }, 0.5},
	"lambda x: 1 / (1 + jnp.exp(-x))":             {func(a []weft.Array) weft.Array { return weft.Scalar(1).Div(weft.Exp(a[0].Neg()).Add(1)) }, 0},
	"lambda x: jax.nn.softmax(x)":                 {func(a []weft.Array) weft.Array { return nn.Softmax(a[0]) }, 0.5},
	"lambda x: jax.nn.gelu(x)":                    {func(a []weft.Array) weft.Array { return nn.GeluTanh(a[0]) }, 4},
	"lambda x: x.sum() / 16":                      {func(a []weft.Array) weft.Array { return a[0].Sum().Div(16) }, 1},
	"lambda x: ((x - x.mean()) ** 2).mean()":      {func(a []weft.Array) weft.Array { return weft.Square(a[0].Sub(a[0].Mean())).Mean() }, 1},
	"lambda x: jnp.cumsum(x)":                     {func(a []weft.Array) weft.Array { return a[0].CumSum(0) }, 1},
	"lambda x, y: x @ y":                          {func(a []weft.Array) weft.Array { return a[0].MatMul(a[1]) }, 0},
	"lambda x: lax.convert_element_type(lax.convert_element_type(x, np.float16), x.dtype)": {func(a []weft.Array) weft.Array { return a[0].AsType(weft.Float16).AsType(a[0].DType()) }, 0},
	"lambda x: x * x + 1":                          {func(a []weft.Array) weft.Array { return a[0].Mul(a[0]).Add(1) }, 0},
	"lambda x, y: lax.rem(x * y, y)":               {func(a []weft.Array) weft.Array { return lax.Rem(a[0].Mul(a[1]), a[1]) }, 0},
	"lambda x: x % 0.1":                            {func(a []weft.Array) weft.Array { return a[0].Mod(0.1) }, 0},
	"lambda x: x // 0.3":                           {func(a []weft.Array) weft.Array { return a[0].FloorDiv(0.3) }, 0},
	"lambda x, y: jnp.hypot(x, y)":                 {func(a []weft.Array) weft.Array { return weft.Hypot(a[0], a[1]) }, 0.5},
	"lambda x, y: jnp.logaddexp(x, y)":             {func(a []weft.Array) weft.Array { return weft.LogAddExp(a[0], a[1]) }, 0.5},
	"lambda x: jax.nn.silu(x)":                     {func(a []weft.Array) weft.Array { return nn.Silu(a[0]) }, 1},
	"lambda x, y, z: x * y * z":                    {func(a []weft.Array) weft.Array { return a[0].Mul(a[1]).Mul(a[2]) }, 0},
	"lambda x, y, z: x + y + z":                    {func(a []weft.Array) weft.Array { return a[0].Add(a[1]).Add(a[2]) }, 0},
	"lambda x: lax.reduce_precision(x * x, 5, 10)": {func(a []weft.Array) weft.Array { return lax.ReducePrecision(a[0].Mul(a[0]), 5, 10) }, 0},
	"lambda x: jnp.mean(x)":                        {func(a []weft.Array) weft.Array { return a[0].Mean() }, 1},
	"lambda x: jnp.var(x)":                         {func(a []weft.Array) weft.Array { return a[0].Var() }, 0},
	"lambda x: jnp.linspace(0., 1., 16) * x":       {func(a []weft.Array) weft.Array { return weft.Linspace(0., 1., 16).Mul(a[0]) }, 1},
	"lambda x: jnp.float32(0.1) * x + jnp.float32(0.2)": {func(a []weft.Array) weft.Array {
		return weft.Scalar(float32(0.1)).Mul(a[0]).Add(weft.Scalar(float32(0.2)))
	}, 0},
}

// Expressions of several operations have the values that JAX computes operation by operation.
func TestComposedCorners(t *testing.T) {
	type record struct {
		ID         int
		DType, Src string
		In         golden.Arrays
		Jit, Eager *golden.Array
	}
	n, needed := 0, map[string]bool{}
	less := map[float64]float64{4: 1, 1: 0.5, 0.5: 0}
	for r := range goldenfile.Records[*record](t, goldenfile.OpenFile(t, "testdata/composed_corners.jsonl")) {
		c, ok := composed[r.Src]
		if !ok {
			t.Errorf("%d: %s is not here", r.ID, r.Src)
			continue
		}
		n++
		want := r.Jit
		if r.Eager != nil {
			want = r.Eager
		}
		for name, f := range map[string]func(a []weft.Array) weft.Array{"eager": c.f, "jit": weft.Jit(c.f)} {
			var in []weft.Array
			for _, v := range r.In.Values() {
				in = append(in, weft.FromValue(v))
			}
			bits := 32
			if r.DType == "f64" { // JAX ran these with 64 bits
				bits = 64
			}
			weft.With(weft.DefaultBits(bits), func() {
				got := f(in).Value()
				if d := golden.Compare(got, *want, c.ulps, 1); d != "" {
					t.Errorf("%d, %s: %s of %s: %s", r.ID, name, r.Src, r.DType, d)
				}
				needed[r.Src] = needed[r.Src] || golden.Compare(got, *want, less[c.ulps], 1) != ""
			})
		}
	}
	for src, c := range composed {
		if c.ulps > 0 && !needed[src] {
			t.Errorf("%s: %g ulps suffice", src, less[c.ulps])
		}
	}
	if n != 141 {
		t.Errorf("got %d records, want 141", n)
	}
}
