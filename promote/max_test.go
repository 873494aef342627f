package promote

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// MAX is its lattice; the page's table differs from it in four cells, which MAXDocumented
// keeps (its 256 cells are in TestTables).
func TestMAXOddCells(t *testing.T) {
	statement.Shows(t, "M-1", "MAX is its lattice; the document's table differs in four cells, which can be had too")
	cells, onlyA, onlyB := Diff(MAX, MAXDocumented)
	want := []Difference{{"b", "index", "u64", "i64"}, {"b", "address", "u64", "i64"}, {"i8", "index", "f16", "index"}, {"i8", "address", "f16", "address"}}
	if !reflect.DeepEqual(cells, want) || len(onlyA)+len(onlyB) > 0 {
		t.Errorf("%v, %v, %v", cells, onlyA, onlyB)
	}
	page := table(t, "max.tsv")
	differ := 0
	for _, r := range page.Names() {
		for _, c := range page.Names() {
			if page.Cell(r, c) != MAX.Algebra().Cell(r, c) {
				differ++
			}
		}
	}
	if differ != 4 {
		t.Errorf("the lattice differs from the page in %d cells", differ)
	}
	if r := Check(MAX); r.Verdict != Lattice || r.Laws.Equal != 4096 {
		t.Errorf("%s", r)
	}
	if r := Check(MAXDocumented); r.Laws.BothDefined != 68 || len(r.Laws.NonCommutative) != 4 {
		t.Errorf("%s", r)
	}
}

func TestMAXStatements(t *testing.T) {
	statement.Shows(t, "M-2", "i16+f32 is f32")
	statement.Shows(t, "M-3", "index and address behave as u64, and nothing promotes to them")
	statement.Shows(t, "M-4", "bf16 and tf32 appear only if an input has them")
	statement.Shows(t, "M-8", "bool promotes to everything, and i64+u64 is f16")
	expect(t, MAX,
		"i16+f32=f32",                                                                                                       // M-2
		"index+u8=u64", "index+address=u64", "index+index=index", "address+address=address", "index+i64=f16", "b+index=u64", // M-3
		"f16+bf16=bf16", "bf16+f32=f32", "f32+tf32=tf32", "tf32+f64=f64", // M-4
		"i64+u64=f16", "b+b=b", // M-8
	)
	alg := MAX.Algebra()
	for _, x := range alg.Names() {
		// M-8: bool promotes to everything, M-3: index and address behave as u64.
		if got := alg.Cell("b", x); got != x && x != "index" && x != "address" {
			t.Errorf("b + %s = %s", x, got)
		}
		for _, y := range alg.Names() {
			got := alg.Cell(x, y)
			if x != y && (got == "index" || got == "address") {
				t.Errorf("%s + %s = %s: nothing promotes to that", x, y, got)
			}
			if (got == "bf16" || got == "tf32") && got != x && got != y {
				t.Errorf("%s + %s = %s, which was not requested", x, y, got)
			}
		}
		for _, w := range []string{"index", "address"} {
			if x != w && x != "index" && x != "address" && alg.Cell(w, x) != alg.Cell("u64", x) {
				t.Errorf("%s + %s = %s, u64 returns %s", w, x, alg.Cell(w, x), alg.Cell("u64", x))
			}
		}
	}
}

func TestImplicitCast(t *testing.T) {
	statement.Shows(t, "M-6", "ImplicitCast refuses types without a promotion and names both")
	statement.Shows(t, "M-7", "ImplicitCast converts only the operand whose type differs")
	d, l, r, err := ImplicitCast(core.Int16, core.Float32)
	if err != nil || d != core.Float32 || !l || r {
		t.Errorf("i16, f32: %s, casts %v %v, %v", d, l, r, err)
	}
	d, l, r, err = ImplicitCast(core.Int64, core.Uint64)
	if err != nil || d != core.Float16 || !l || !r {
		t.Errorf("i64, u64: %s, casts %v %v, %v", d, l, r, err)
	}
	d, l, r, err = ImplicitCast(core.BFloat16, core.BFloat16)
	if err != nil || d != core.BFloat16 || l || r {
		t.Errorf("bf16, bf16: %s, casts %v %v, %v", d, l, r, err)
	}
	for _, p := range [][2]core.DType{{core.Complex64, core.Float32}, {core.Float32, core.Complex64}, {core.Complex64, core.Complex64}} {
		_, l, r, err := ImplicitCast(p[0], p[1])
		if err == nil || l || r || !strings.Contains(err.Error(), "no legal promotion for (") || !strings.Contains(err.Error(), "c64") {
			t.Errorf("%v: %v", p, err)
		}
	}
}
