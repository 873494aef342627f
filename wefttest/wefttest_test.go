package wefttest_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/wefttest"
)

// fake is a test that notes how it fails.
type fake struct {
	testing.TB
	said []string
}

func (f *fake) Helper()                        {}
func (f *fake) Error(args ...any)              { f.said = append(f.said, fmt.Sprint(args...)) }
func (f *fake) Errorf(format string, a ...any) { f.said = append(f.said, fmt.Sprintf(format, a...)) }

// expect requires that a check failed once with a message that contains all of want, or did not
// fail if want is empty.
func (f *fake) expect(t *testing.T, what string, want ...string) {
	t.Helper()
	if len(want) == 0 {
		if len(f.said) != 0 {
			t.Errorf("%s failed: %q", what, f.said)
		}
		return
	}
	if len(f.said) != 1 {
		t.Errorf("%s: failed %d times, %q", what, len(f.said), f.said)
		return
	}
	for _, w := range want {
		if !strings.Contains(f.said[0], w) {
			t.Errorf("%s: %q holds no %q", what, f.said[0], w)
		}
	}
}

type pair struct {
	A      weft.Array
	Layers []weft.Array
}

func TestAllClose(t *testing.T) {
	base := func() pair {
		return pair{weft.Of(1., 2), []weft.Array{weft.Of(1, 2), weft.Of(0., 1e6, math.NaN()).Reshape(1, 3)}}
	}
	with := func(change func(*pair)) pair { p := base(); change(&p); return p }
	zero := wefttest.Tolerance{}
	for _, c := range []struct {
		name string
		got  pair
		tol  wefttest.Tolerance
		want []string
	}{
		{"the same", base(), zero, nil},
		{"rounding", with(func(p *pair) { p.A = weft.Of(1.000001, 2) }), zero, nil},
		{"rounding, exactly", with(func(p *pair) { p.A = weft.Of(1.000001, 2) }), wefttest.Tolerance{Exact: true}, []string{".A", "[0]", "1.00000"}},
		{"too far", with(func(p *pair) { p.A = weft.Of(1., 2.1) }), zero, []string{".A", "element [1]", "2.1", "want 2", "off by 0.1"}},
		{"far and allowed", with(func(p *pair) { p.A = weft.Of(1., 2.1) }), wefttest.Tolerance{Abs: 0.2}, nil},
		{"relative", with(func(p *pair) { p.Layers[1] = weft.Of(0., 1e6+100, math.NaN()).Reshape(1, 3) }), wefttest.Tolerance{Rel: 1e-3}, nil},
		{"the worst of two", with(func(p *pair) { p.A = weft.Of(1.1, 2); p.Layers[1] = weft.Of(50., 1e6, math.NaN()).Reshape(1, 3) }), zero,
			[]string{".Layers[1]", "element [0 0]", "2 leaves of 3"}},
		{"integers", with(func(p *pair) { p.Layers[0] = weft.Of(1, 3) }), wefttest.Tolerance{Abs: 10}, []string{".Layers[0]", "[1]", "3", "2"}},
		{"not NaN", with(func(p *pair) { p.Layers[1] = weft.Of(0., 1e6, 3).Reshape(1, 3) }), wefttest.Tolerance{Abs: 10}, []string{"NaN", "[0 2]"}},
		{"infinite", with(func(p *pair) { p.A = weft.Of(math.Inf(1), 2) }), wefttest.Tolerance{Abs: 10}, []string{".A", "+Inf"}},
		{"another shape", with(func(p *pair) { p.A = weft.Of(1., 2, 3) }), zero, []string{".A", "f32[3]", "f32[2]"}},
		{"another type", with(func(p *pair) { p.A = weft.Of(1, 2) }), zero, []string{".A", "i32[2]", "f32[2]"}},
		{"a leaf less", with(func(p *pair) { p.Layers = p.Layers[:1] }), zero, []string{".Layers[1]", "missing"}},
		{"a leaf more", with(func(p *pair) { p.Layers = append(p.Layers, weft.Of(1)) }), zero, []string{".Layers[2]", "should not"}},
		{"no array", with(func(p *pair) { p.A = weft.Array{} }), zero, []string{".A", "no array"}},
	} {
		var f fake
		ok := wefttest.AllClose(&f, c.got, base(), c.tol)
		f.expect(t, c.name, c.want...)
		if ok != (c.want == nil) {
			t.Errorf("%s: reports %v", c.name, ok)
		}
	}
	if d := wefttest.Difference(weft.Of(1+1i), weft.Of(1+2i), zero); !strings.Contains(d, "(1+1i)") {
		t.Errorf("complex numbers: %q", d)
	}
	for _, same := range []float64{math.NaN(), math.Inf(1)} {
		got, want := weft.Of(complex(same, 1), complex(1, same)), weft.Of(complex(same, 2), complex(1, same))
		if d := wefttest.Difference(got, want, zero); !strings.Contains(d, "off by 1") {
			t.Errorf("imaginary parts differ beside the real part %v: %q", same, d)
		}
		if d := wefttest.Difference(want, want, zero); d != "" {
			t.Errorf("complex numbers with a part %v are not the same: %q", same, d)
		}
	}
	if d := wefttest.Difference(weft.FromSlice([]int64{1 << 60}), weft.FromSlice([]int64{1<<60 + 1}), zero); d == "" {
		t.Error("wide integers that differ in the last digit are taken for the same")
	}
}

// wrong is sin with a derivative that is wrong.
var wrong = custom.JVP(weft.Sin, func(x, t weft.Array) (weft.Array, weft.Array) {
	return weft.Sin(x), t.Mul(weft.Cos(x)).Mul(1.02)
})

// bent is a function whose first derivative is right and whose second is wrong.
var bent = custom.JVP(func(x weft.Array) weft.Array { return weft.Square(x) },
	func(x, t weft.Array) (weft.Array, weft.Array) {
		return weft.Square(x), t.Mul(weft.StopGradient(x).Mul(2))
	})

// reverseOnly is sin with a reverse rule.
var reverseOnly = custom.VJP(weft.Sin,
	func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
	func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })

// wrongReverse is sin with a reverse rule of the wrong sign.
var wrongReverse = custom.VJP(weft.Sin,
	func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
	func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)).Neg() })

func TestCheckGrads(t *testing.T) {
	type grad = wefttest.GradConfig
	x := weft.Of(0.3, 1.2, -0.7)
	x64 := x.AsType(weft.Float64)
	z := weft.Of(1+2i, -0.5+0.1i)
	for _, c := range []struct {
		name string
		run  func(testing.TB)
		want []string
	}{
		{"sin", func(t testing.TB) { wefttest.CheckGrads(t, weft.Sin, x, grad{}) }, nil},
		{"sin f64, third derivatives", func(t testing.TB) { wefttest.CheckGrads(t, weft.Sin, x64, grad{Order: 3}) }, nil},
		{"bf16", func(t testing.TB) { wefttest.CheckGrads(t, weft.Sin, x.AsType(weft.BFloat16), grad{}) }, nil},
		{"a wrong derivative", func(t testing.TB) { wefttest.CheckGrads(t, wrong, x, grad{}) }, []string{"forward derivative of result 0", "by differences", "allowed"}},
		{"a wrong derivative in reverse", func(t testing.TB) { wefttest.CheckGrads(t, wrong, x64, grad{SkipForward: true}) }, []string{"reverse derivative", "Σ"}},
		{"a wrong reverse rule", func(t testing.TB) { wefttest.CheckGrads(t, wrongReverse, x, grad{SkipForward: true}) }, []string{"reverse derivative"}},
		{"a reverse rule", func(t testing.TB) {
			wefttest.CheckGrads(t, reverseOnly, x64, grad{SkipForward: true, Order: 2})
		}, nil},
		{"a wrong second derivative, not asked for", func(t testing.TB) { wefttest.CheckGrads(t, bent, x, grad{}) }, nil},
		{"a wrong second derivative", func(t testing.TB) { wefttest.CheckGrads(t, bent, x, grad{Order: 2}) }, []string{"forward, then forward derivative"}},
		{"a wrong second derivative in reverse", func(t testing.TB) {
			wefttest.CheckGrads(t, bent, x, grad{Order: 2, SkipForward: true})
		}, []string{"reverse, then reverse derivative"}},
		{"holomorphic", func(t testing.TB) { wefttest.CheckGrads(t, weft.Exp, z, grad{Order: 2}) }, nil},
		{"of complex to real", func(t testing.TB) {
			wefttest.CheckGrads(t, func(z weft.Array) weft.Array { return weft.Square(weft.Abs(z)).Add(z.Imag()) }, z, grad{})
		}, nil},
		{"of real to complex, as a tree", func(t testing.TB) {
			wefttest.CheckGrads(t, func(p pair) []weft.Array {
				return []weft.Array{weft.Exp(p.A.Mul(1i)), p.Layers[0].Add(1), p.A.Mul(p.Layers[0])}
			}, pair{weft.Of(1., 2), []weft.Array{weft.Of(3, 4)}}, grad{Order: 2})
		}, nil},
		{"a pole", func(t testing.TB) { wefttest.CheckGrads(t, weft.Sqrt, weft.Of(0., 1), grad{}) }, []string{"derivative"}},
		{"integers", func(t testing.TB) { wefttest.CheckGrads(t, weft.Abs, weft.Of(1, 2), grad{}) }, []string{"nothing", "Array"}},
		{"an integral result", func(t testing.TB) {
			wefttest.CheckGrads(t, func(x weft.Array) weft.Array { return x.ArgMax() }, x, grad{})
		}, []string{"no result"}},
		{"a scalar", func(t testing.TB) { wefttest.CheckGrads(t, weft.Sin, weft.Scalar(0.3), grad{Order: 2}) }, nil},
		{"a wrong derivative of a scalar", func(t testing.TB) { wefttest.CheckGrads(t, wrong, weft.Scalar(0.3), grad{}) }, []string{"forward derivative of result 0"}},
		{"a leaf without axes, a loss without any", func(t testing.TB) {
			wefttest.CheckGrads(t, func(p pair) weft.Array { return p.A.Mul(weft.Sin(p.Layers[0])).Sum() },
				pair{weft.Scalar(2.), []weft.Array{x64}}, grad{Order: 2})
		}, nil},
		{"a complex scalar", func(t testing.TB) { wefttest.CheckGrads(t, weft.Exp, weft.Scalar(1+2i), grad{}) }, nil},
		{"no elements", func(t testing.TB) { wefttest.CheckGrads(t, weft.Exp, weft.Zeros(0, 2), grad{}) }, nil},
		{"a loose tolerance", func(t testing.TB) { wefttest.CheckGrads(t, wrong, x, grad{Tol: 0.1}) }, nil},
	} {
		var f fake
		c.run(&f)
		f.expect(t, c.name, c.want...)
	}
}

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	var f fake
	tree := pair{weft.Of(1., 2), []weft.Array{weft.Of(3)}}
	other := pair{weft.Of(1., 2.5), []weft.Array{weft.Of(3)}}
	larger := pair{weft.Of(1., 2, 3), []weft.Array{weft.Of(3)}}

	wefttest.Golden(&f, "sub/text.golden", "a\nb\n")
	f.expect(t, "no file", "no file", filepath.Join("testdata", "sub", "text.golden"), "-update")

	if err := flag.Set("update", "true"); err != nil {
		t.Fatal(err)
	}
	f = fake{}
	wefttest.Golden(&f, "sub/text.golden", "a\nb\n")
	wefttest.GoldenArrays(&f, "tree.golden", tree, wefttest.Tolerance{})
	f.expect(t, "-update")
	if err := flag.Set("update", "false"); err != nil {
		t.Fatal(err)
	}

	wefttest.Golden(&f, "sub/text.golden", "a\nb\n")
	f.expect(t, "the same text")
	if err := os.WriteFile(filepath.Join("testdata", "windows.golden"), []byte("a\r\nb\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(&f, "windows.golden", "a\nb\n")
	f.expect(t, "line ends")
	wefttest.GoldenArrays(&f, "tree.golden", tree, wefttest.Tolerance{})
	f.expect(t, "the same arrays")
	wefttest.GoldenArrays(&f, "tree.golden", other, wefttest.Tolerance{Abs: 1})
	f.expect(t, "arrays that are close")

	for what, c := range map[string]struct {
		run  func()
		want []string
	}{
		"another line": {func() { wefttest.Golden(&f, "sub/text.golden", "a\nc\n") }, []string{"line 2", "c", "want", "b"}},
		"a line less":  {func() { wefttest.Golden(&f, "sub/text.golden", "a\nb") }, []string{"line 3 is missing"}},
		"a line more":  {func() { wefttest.Golden(&f, "sub/text.golden", "a\nb\n\nd") }, []string{"line 4 should not"}},
		"other arrays": {func() { wefttest.GoldenArrays(&f, "tree.golden", other, wefttest.Tolerance{}) }, []string{".A", "2.5", "-update"}},
		"other arrays of a list": {func() {
			wefttest.GoldenArrays(&f, "tree.golden", pair{tree.A, []weft.Array{weft.Of(4)}}, wefttest.Tolerance{})
		}, []string{"4", "-update"}},
		"other shapes": {func() { wefttest.GoldenArrays(&f, "tree.golden", larger, wefttest.Tolerance{}) }, []string{"A", "-update"}},
		"no arrays":    {func() { wefttest.GoldenArrays(&f, "none.golden", tree, wefttest.Tolerance{}) }, []string{"no file"}},
	} {
		f = fake{}
		c.run()
		f.expect(t, what, c.want...)
	}
}
