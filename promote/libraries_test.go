package promote

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// Apart from u16, u32, u64 and bare numbers JAX's scheme is PyTorch's.
func TestNearPyTorch(t *testing.T) {
	statement.Shows(t, "P-33", "apart from u16, u32, u64 and scalars, JAX's scheme is PyTorch's")
	cells, _, _ := Diff(JAXDesign, PyTorchDesign)
	agree := 0
	names := strings.Fields("b u8 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128")
	for _, x := range names {
		for _, y := range names {
			if JAXDesign.Algebra().Cell(x, y) == PyTorchDesign.Algebra().Cell(x, y) {
				agree++
			}
		}
	}
	other := 0
	for _, c := range cells {
		if strings.ContainsAny(c.Row+c.Col, "*") && !strings.Contains("u16 u32 u64", c.Row) && !strings.Contains("u16 u32 u64", c.Col) {
			other++
		}
	}
	if agree != 144 || other != 35 {
		t.Errorf("%d strong cells agree, %d cells with bare numbers differ", agree, other)
	}
	// Against the document's NumPy 118 cells differ, 36 of them strong.
	cells, _, _ = Diff(JAXDesign, NumPy1)
	strong := 0
	for _, c := range cells {
		if !strings.ContainsAny(c.Row+c.Col, "*") && c.Row != "bf16" && c.Col != "bf16" {
			strong++
		}
	}
	if len(cells) != 118 || strong != 36 {
		t.Errorf("%d cells differ from NumPy 1, %d strong ones", len(cells), strong)
	}
}

// The systems of TensorFlow, PyTorch and lax have the joins that the documents state.
func TestOtherLibraries(t *testing.T) {
	statement.Shows(t, "P-35", "under TensorFlow the second operand is converted to the first one's type, or refused")
	statement.Shows(t, "P-36", "PyTorch has no u16, u32 and u64, and its scalars have its defaults")
	statement.Shows(t, "P-37", "under lax nothing promotes, and a scalar needs its own 64-bit default beside it")
	expect(t, TensorFlow, "u8+i*=u8", "i*+u8=-", "i*+i32=i32", "f*+f32=f32", "c*+c128=c128", "i*+i*=i32", "f*+f*=f32", "f*+i*=f32", "c*+i*=c128", "c*+f*=c128", "b+b=-", "f32+f64=-")
	_, err := TensorFlow.Join(typ(t, "i*"), typ(t, "u8"))
	if err == nil || !strings.Contains(err.Error(), "swap them") {
		t.Errorf("the fix is to swap the operands: %v", err)
	}
	expect(t, PyTorchDesign, "u8+i8=i16", "i*+i*=i64", "f*+i*=f32", "b+f*=f32", "f*+f*=f64", "f*+c*=c64", "c*+c*=c128", "f64+c64=c128", "f16+bf16=f32", "u16+u16=-")
	expect(t, PyTorch, "f16+c*=c32", "f*+f*=f32")
	expect(t, JAXLax, "b+b=-", "i8+i8=i8", "i64+i*=i64", "f64+f*=f64", "c128+c*=c128", "i*+i*=i*", "f*+f*=f*", "c*+c*=c*", "i32+i*=-", "f32+f64=-")
}

// Strict promotion converts only scalars, and its error names the types and the fix.
func TestStrict(t *testing.T) {
	statement.Shows(t, "P-40", "weak arrays print as weak; strict promotion refuses what is not a scalar of the same or a lower kind")
	expect(t, JAX, "i*+i8=i8", "i32+i8=i32")
	for _, s := range []System{JAXStrict, JAXDesignStrict} {
		expect(t, s, "i32+f32=-", "i8+i16=-", "b+i8=-", "b+i*=-", "b+b=b", "i32+i*=i32", "f32+i*=f32", "f32+f*=f32", "i32+f*=-", "c64+f*=c64", "i*+f*=f*", "f32+c*=-")
	}
	_, err := JAXStrict.Join(typ(t, "f32"), typ(t, "i32"))
	if err == nil || !strings.Contains(err.Error(), "f32 and i32") || !strings.Contains(err.Error(), "strict") || !strings.Contains(err.Error(), "convert explicitly") {
		t.Errorf("%v", err)
	}
	_, err = JAX.Join(Strong(core.Float8E4M3FN), Strong(core.Float32))
	if err == nil || !strings.Contains(err.Error(), "f8_e4m3fn and f32") || !strings.Contains(err.Error(), "8 bits") {
		t.Errorf("%v", err)
	}
}

// The statements of the design document about its own options, as far as they can be
// computed.
func TestClaims(t *testing.T) {
	numpy := NumPy1.Algebra()
	strongOf := map[string]string{"i*": "i64", "f*": "f64", "c*": "c128"}
	for _, c := range []struct {
		s       System
		defined int
	}{{PartialMerged, 94}, {PartialFloatComplex, 112}, {Option0, 136}} {
		a, defined := c.s.Algebra(), 0
		for _, x := range a.Names() {
			for _, y := range a.Names() {
				r := a.Cell(x, y)
				if r == "-" {
					continue
				}
				defined++
				if s, ok := strongOf[r]; ok {
					r = s
				}
				if got := numpy.Cell(x, y); got != r {
					t.Errorf("%s: %s + %s = %s, NumPy %s", c.s.Name(), x, y, r, got)
				}
			}
		}
		if defined != c.defined {
			t.Errorf("%s: %d cells are defined, want %d", c.s.Name(), defined, c.defined)
		}
	}
	// The naive graph is NumPy for strong types only.
	differ := 0
	for _, x := range Naive.Algebra().Names() {
		for _, y := range Naive.Algebra().Names() {
			r := Naive.Algebra().Cell(x, y)
			if s, ok := strongOf[r]; ok {
				r = s
			}
			if r != "-" && r != numpy.Cell(x, y) {
				differ++
				if !strings.Contains(x+y, "*") {
					t.Errorf("naive %s + %s = %s, NumPy %s", x, y, r, numpy.Cell(x, y))
				}
			}
		}
	}
	if differ != 16 {
		t.Errorf("the naive graph differs from NumPy in %d cells", differ)
	}
	// Option 3 has 64 bits only where some went in, and 32 likewise; with bf16 the
	// second is broken by f16 + bf16 alone.
	for _, c := range []struct {
		s    System
		want string
	}{{Option3, "[]"}, {JAXDesign, "[{bf16 f16 f32}]"}} {
		var broken []Cell
		for _, w := range ScoreOf(c.s.Algebra()).Wider {
			if !strings.HasPrefix(w.Row, "u") {
				broken = append(broken, w)
			}
		}
		if fmt.Sprint(broken) != c.want {
			t.Errorf("%s: %v", c.s.Name(), broken)
		}
	}
}
