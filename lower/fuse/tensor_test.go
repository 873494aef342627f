package fuse_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// Products keep operands of 16 bits, and request tensor cores, where the device has them and
// the equation permits it.
func TestTensorProducts(t *testing.T) {
	matrix := func(dt core.DType, m, n int) core.ShapedArray { return core.Aval(dt, m, n) }
	for _, c := range []struct {
		name      string
		in        core.DType
		n         int
		precision string
		preferred core.DType
		o         fuse.TensorOptions
		want      string // of the product; "" for the exact one
		kernels   int
	}{
		{"none", core.Float32, 64, "", core.Invalid, fuse.TensorOptions{}, "", 0},
		{"f32", core.Float32, 64, "", core.Invalid, fuse.TensorOptions{Cores: true}, "tensor f32 to f32", 0},
		{"default", core.Float32, 64, "(Precision.DEFAULT, Precision.HIGH)", core.Invalid, fuse.TensorOptions{Cores: true}, "tensor f32 to f32", 0},
		{"highest", core.Float32, 64, "(Precision.DEFAULT, Precision.HIGHEST)", core.Invalid, fuse.TensorOptions{Cores: true}, "", 0},
		{"bf16", core.BFloat16, 64, "", core.Invalid, fuse.TensorOptions{Cores: true}, "tensor bf16 to bf16", 0},
		{"f16 to f32", core.Float16, 64, "", core.Float32, fuse.TensorOptions{Cores: true}, "tensor f16 to f32", 0},
		{"algorithm", core.Float32, 64, "BF16_BF16_F32", core.Invalid, fuse.TensorOptions{Cores: true}, "tensor bf16 to f32", 1},
		{"another algorithm", core.Float32, 64, "BF16_BF16_F32_X3", core.Invalid, fuse.TensorOptions{Cores: true}, "", 0},
		{"thin", core.Float32, 8, "", core.Invalid, fuse.TensorOptions{Cores: true}, "", 0},
		{"f64", core.Float64, 64, "", core.Invalid, fuse.TensorOptions{Cores: true}, "", 0},
		{"large, along k", core.Float32, 512, "", core.Invalid, fuse.TensorOptions{Cores: true, AlongK: true}, "tensor f32 to f32", 1},
		{"small, along k", core.Float32, 256, "", core.Invalid, fuse.TensorOptions{Cores: true, AlongK: true}, "tensor f32 to f32", 0},
		{"16 bits, along k", core.BFloat16, 512, "", core.Invalid, fuse.TensorOptions{Cores: true, AlongK: true}, "tensor bf16 to bf16", 0},
		{"parts", core.Float32, 64, "", core.Invalid, fuse.TensorOptions{Cores: true, Parts: parts{n: 4}}, "tensor f32 to f32 64×16×64 ×4", 1},
		{"parts, bf16", core.BFloat16, 64, "", core.Invalid, fuse.TensorOptions{Cores: true, Parts: parts{n: 4}}, "tensor bf16 to f32 64×16×64 ×4", 1},
		{"parts, highest", core.Float32, 64, "HIGHEST", core.Invalid, fuse.TensorOptions{Cores: true, Parts: parts{n: 4}}, "", 0},
		{"pairs", core.BFloat16, 64, "", core.Invalid, fuse.TensorOptions{Cores: true, Pairs: true}, "tensor bf16 to f32 64×64×64", 2},
		{"pairs, odd", core.BFloat16, 65, "", core.Float32, fuse.TensorOptions{Cores: true, Pairs: true}, "tensor bf16 to f32 65×66×65", 1},
		{"pairs, f32", core.Float32, 64, "", core.Invalid, fuse.TensorOptions{Cores: true, Pairs: true}, "", 0},
		{"pairs, algorithm", core.Float32, 64, "BF16_BF16_F32", core.Invalid, fuse.TensorOptions{Cores: true, Pairs: true}, "tensor bf16 to f32", 2},
	} {
		b := jaxpr.NewBuilder()
		x, y := b.Input(matrix(c.in, c.n, c.n)), b.Input(matrix(c.in, c.n, c.n))
		p := prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0), Precision: c.precision, Preferred: c.preferred}
		j := b.Build(b.Eqn(p, x, y)[0])
		if may := fuse.MayRound(j.Eqns[0]); c.o.Cores && c.n > 8 && may != (c.want != "" || c.o.Pairs) && c.o.Parts == nil {
			t.Errorf("%s: MayRound is %v", c.name, may)
		}
		plan := fuse.Translate(j, fuse.Target{Tensor: c.o})
		var product *fuse.Product
		others := 0
		for _, s := range plan.Steps {
			if q, ok := s.(*fuse.Product); ok {
				product = q
			} else {
				others++
			}
		}
		switch {
		case product == nil:
			t.Errorf("%s: no product", c.name)
		case c.want == "" && product.Tensor != core.Invalid, c.want != "" && !strings.HasPrefix(product.String(), c.want):
			t.Errorf("%s: got %v, want %q", c.name, product, c.want)
		case c.want != "" && others != c.kernels:
			t.Errorf("%s: %d other steps, want %d", c.name, others, c.kernels)
		case c.o.AlongK && c.kernels > 0 && product.B.K != 1:
			t.Errorf("%s: the strides of B are %v", c.name, product.B)
		}
	}
}

// Integers of at most 16 bits are read in pairs, and bytes in fours, where that spares more than copies cost.
func TestShortPairs(t *testing.T) {
	for _, c := range []struct {
		name     string
		l, r     core.ShapedArray
		contract int // of the right operand
		want     string
		others   int // number of other steps
		fours    bool
	}{
		{"neighbours", core.Aval(core.Uint8, 20, 64), core.Aval(core.Int8, 30, 64), 1, "pairs of i16 to i32 20×64×30", 2, false},
		{"in place", core.Aval(core.Int16, 1, 64), core.Aval(core.Int16, 30, 64), 1, "pairs of i16 to i32 1×64×30", 0, false},
		{"odd", core.Aval(core.Int8, 20, 63), core.Aval(core.Int8, 30, 63), 1, "pairs of i16 to i32 20×64×30", 4, false},
		{"rows", core.Aval(core.Int8, 20, 64), core.Aval(core.Int8, 64, 30), 0, "pairs of i16 to i32 20×64×30", 3, false},
		{"one row", core.Aval(core.Int8, 1, 64), core.Aval(core.Int8, 64, 30), 0, "i32 1×64×30", 2, false},
		{"short", core.Aval(core.Int8, 20, 6), core.Aval(core.Int8, 30, 6), 1, "i32 20×6×30", 2, false},
		{"u16", core.Aval(core.Uint16, 20, 64), core.Aval(core.Int8, 30, 64), 1, "i32 20×64×30", 2, false},
		{"fours", core.Aval(core.Uint8, 20, 64), core.Aval(core.Int8, 30, 64), 1, "fours of bytes to i32 20×64×30", 0, true},
		{"fours, not whole", core.Aval(core.Uint8, 20, 61), core.Aval(core.Int8, 30, 61), 1, "fours of bytes to i32 20×64×30", 2, true},
		{"fours, of 16 bits", core.Aval(core.Uint8, 20, 64), core.Aval(core.Int16, 30, 64), 1, "pairs of i16 to i32 20×64×30", 1, true},
		{"fours, few rows are moved", core.Aval(core.Int8, 7, 64), core.Aval(core.Int8, 30, 64), 1, "pairs of i16 to i32 7×64×30", 2, true},
		{"fours, moved", core.Aval(core.Int8, 20, 64), core.Aval(core.Uint8, 30, 64), 1, "fours of bytes to i32 20×64×30", 3, true},
	} {
		b := jaxpr.NewBuilder()
		p := prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(c.contract), Preferred: core.Int32}
		plan := fuse.Translate(b.Build(b.Eqn(p, b.Input(c.l), b.Input(c.r))[0]), fuse.Target{ShortPairs: true, ByteDots: c.fours})
		got, others := "", 0
		for _, s := range plan.Steps {
			if q, ok := s.(*fuse.Product); ok {
				got = q.String()
			} else {
				others++
			}
		}
		if got != c.want || others != c.others {
			t.Errorf("%s: got %q and %d other steps, want %q and %d", c.name, got, others, c.want, c.others)
		}
	}
}

// Convolutions are computed on tensor cores as long as kernels can count the parts into which gaps divide elements.
func TestTensorConvGaps(t *testing.T) {
	d := core.MakeDims
	for gap, tensor := range map[int]bool{1: true, 3: true, 1 << 7: true, 1 << 8: false, 1 << 22: false, 1<<30 + 1: false} {
		b := jaxpr.NewBuilder()
		x, w := b.Input(core.Aval(core.Float32, 16, 16, 1, 1, 1)), b.Input(core.Aval(core.Float32, 16, 16, 1, 1, 1))
		spec := d(0, 1, 2, 3, 4)
		p := windows.ConvP{Strides: d(1, 1, 1), Padding: d(0, 1, 0, 1, 0, 1), LhsDilation: d(gap, gap, gap), RhsDilation: d(1, 1, 1), LhsSpec: spec, RhsSpec: spec, OutSpec: spec, FeatureGroups: 1, BatchGroups: 1}
		plan := fuse.Translate(b.Build(b.Eqn(p, x, w)[0]), fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: parts{n: 1}}})
		if got := strings.Contains(plan.String(), "tensor f32"); got != tensor {
			t.Errorf("gaps of %d: on tensor cores is %v:\n%v", gap, got, plan)
		}
	}
}

// parts divides every sum.
type parts struct {
	fuse.TensorPlans
	n int
}

// Attends refuses every attention.
func (parts) Attends(core.DType, [2]int) bool { return false }

// AttendsGradient refuses every derivative of one.
func (parts) AttendsGradient(core.DType, [2]int, bool, bool) bool { return false }

// Of returns the number of parts.
func (p parts) Of(*fuse.Product) int { return p.n }

// OfConv divides no convolution.
func (p parts) OfConv(s fuse.Step) (parts, terms int) {
	_, _, k := s.(*fuse.TensorConv).Sizes()
	return 1, k
}
