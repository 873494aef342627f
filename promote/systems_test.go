package promote

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// Every system has the cells of its table, in both orders; an undefined cell is an error that names
// both types.
func TestTables(t *testing.T) {
	statement.Shows(t, "P-10", "JAX's 324 cells follow from 18 nodes and 24 edges")
	statement.Shows(t, "P-32", "JAX's table is option 3 with u64 below f*, cell by cell")
	statement.Shows(t, "P-34", "every cell of the five tables, in both orders, with an error for each undefined one")
	for _, c := range []struct {
		s     System
		file  string
		cells int
	}{
		{NumPy1, "numpy.tsv", 324},
		{TensorFlow, "tensorflow.tsv", 324},
		{PyTorchDesign, "pytorch.tsv", 324},
		{JAXDesign, "jax_numpy.tsv", 324},
		{JAXLax, "jax_lax.tsv", 324},
		{NumPy2, "today_numpy.tsv", 324},
		{PyTorch, "today_pytorch.tsv", 324},
		{TensorFlowAll, "today_tensorflow_all.tsv", 324},
		{TensorFlowSafe, "today_tensorflow_safe.tsv", 324},
		{JAX, "jax2026_x64.tsv", 1089},
		{JAX32, "jax2026_x32.tsv", 1089},
		{JAXStrict, "jax2026_strict.tsv", 1089},
		{MAXDocumented, "max.tsv", 256},
		{AnvilKnown, "anvil_known.tsv", 121},
		{Anvil, "anvil_known.tsv", 121},
	} {
		rows := rows(t, c.file)
		cells := 0
		for _, row := range rows[1:] {
			for j, want := range row[1:] {
				a, b := typ(t, row[0]), typ(t, rows[0][j+1])
				got, err := c.s.Join(a, b)
				cells++
				if want == "-" || want == "ERR" {
					if err == nil {
						t.Errorf("%s: %s + %s = %s, want an error", c.s.Name(), a, b, got)
						continue
					}
					var e *Error
					if !errors.As(err, &e) || !errors.Is(err, core.ErrPromotion) || e.Way == "" {
						t.Errorf("%s: %s + %s: %#v", c.s.Name(), a, b, err)
					}
					if m := err.Error(); !strings.Contains(m, a.String()+" and "+b.String()) || !strings.Contains(m, c.s.Name()) {
						t.Errorf("the error does not name the operands: %s", m)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %s + %s: %v, want %s", c.s.Name(), a, b, err, want)
				} else if w := typ(t, want); short(got) != short(w) {
					t.Errorf("%s: %s + %s = %s, want %s", c.s.Name(), a, b, got, want)
				}
				if got.Weak && got != typ(t, got.String()) {
					t.Errorf("%s: %s + %s has the width of %v, want 32 bits", c.s.Name(), a, b, got.DType)
				}
			}
		}
		if cells != c.cells {
			t.Errorf("%s has %d cells, want %d", c.file, cells, c.cells)
		}
	}
}

// Every table of the package survives being printed and read, and every system
// is found by its name and by the names of the documents.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range append(Systems(), Graphs()...) {
		if seen[s.Name()] {
			t.Errorf("two systems are called %s", s.Name())
		}
		seen[s.Name()] = true
		if About(s) == "" {
			t.Errorf("%s has no description", s.Name())
		}
		if f, err := Find(strings.ToUpper(s.Name())); err != nil || f != s {
			t.Errorf("Find(%s) = %v, %v", s.Name(), f, err)
		}
		back, err := ParseTable(s.Algebra().TSV())
		if err != nil {
			t.Errorf("%s: %v", s.Name(), err)
			continue
		}
		for i, x := range s.Algebra().cells {
			if max(x, undefined) != back.cells[i] {
				t.Errorf("%s: cell %d is %d, read back %d", s.Name(), i, x, back.cells[i])
			}
		}
	}
	for other := range otherNames {
		if _, err := Find(other); err != nil {
			t.Error(err)
		}
	}
	if _, err := Find("cobol"); err == nil || !strings.Contains(err.Error(), "jax-strict") {
		t.Errorf("an unknown name should be answered with the known ones: %v", err)
	}
}

// Many goroutines may use a system for the first time at once.
func TestConcurrentFirstUse(t *testing.T) {
	s := lattice("fresh", "", chains(jaxChains))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if r, err := s.Join(WeakInt, Strong(core.Int8)); err != nil || r != Strong(core.Int8) {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	wg.Wait()
}

// A System is a comparable part of a cache key.
func TestSystemsAreKeys(t *testing.T) {
	cache := map[System]int{}
	for i, s := range append(Systems(), Graphs()...) {
		cache[s] = i
	}
	if len(cache) != len(Systems())+len(Graphs()) {
		t.Errorf("%d keys for %d systems", len(cache), len(Systems())+len(Graphs()))
	}
	if cache[JAX] != 0 {
		t.Error("JAX is not the first key")
	}
}

// A type that a system does not have is an error that names it, not a wrong cell: types
// of other systems, invalid ones, and numbers that no type has.
func TestUnknownTypes(t *testing.T) {
	for _, s := range Systems() {
		for _, d := range []core.DType{core.Invalid, core.Token, 59, 100, 255} {
			for _, weak := range []bool{false, true} {
				x := Type{d, weak}
				for _, p := range [][2]Type{{x, Strong(core.Float32)}, {Strong(core.Float32), x}, {x, x}} {
					if r, err := s.Join(p[0], p[1]); err == nil {
						t.Errorf("%s: %v + %v = %v", s.Name(), p[0], p[1], r)
					}
				}
			}
		}
	}
	expect(t, JAX, "index+u8=-", "tf32+f32=-", "c32+c64=-")
	expect(t, Python, "f32+f*=-", "i*+f*=f*")
}

// PRNG keys and float0 promote with themselves in JAX and with nothing else.
func TestExtendedTypes(t *testing.T) {
	for _, s := range []System{JAX, JAX32, JAXStrict, JAXLax} {
		for _, d := range []core.DType{core.Key, core.KeyRBG, core.KeyURBG, core.KeyPhilox2x32, core.KeyPhilox4x32, core.Float0} {
			if r, err := s.Join(Strong(d), Strong(d)); err != nil || r != Strong(d) {
				t.Errorf("%s: %s with itself: %v, %v", s.Name(), d, r, err)
			}
			if r, err := s.Join(Strong(d), WeakInt); err == nil {
				t.Errorf("%s: %s with i* = %v", s.Name(), d, r)
			}
		}
	}
	if _, err := NumPy.Join(Strong(core.Key), Strong(core.Key)); err == nil {
		t.Error("NumPy has no PRNG keys")
	}
}

func TestParseType(t *testing.T) {
	for name, want := range map[string]string{
		"f32": "f32", "float32": "f32", "b": "bool", "bool": "bool", "i1": "bool", "ui8": "u8", "int": "i*", "float*": "f*",
		"i16*": "~i16", "~i16": "~i16", "i32?": "i*", "~f64": "f*", "tensor_float_32": "tf32", "torch.complex32": "c32", "key<fry>": "key<fry>",
	} {
		if x, ok := ParseType(name); !ok || x.String() != want {
			t.Errorf("ParseType(%s) = %v, %v, want %s", name, x, ok, want)
		}
	}
	for _, name := range []string{"", "*", "~", "?", "i*?", "~i*", "b*", "key<fry>*", "index*", "f33", "I32"} {
		if x, ok := ParseType(name); ok {
			t.Errorf("ParseType(%q) = %v", name, x)
		}
	}
}

// Every type is read back from its own name.
func TestTypeNames(t *testing.T) {
	for _, d := range listed {
		if x, ok := ParseType(d.String()); !ok || x != Strong(d) {
			t.Errorf("%s is read as %v, %v", d.String(), x, ok)
		}
		if !d.IsNumber() {
			continue
		}
		w := Type{d, true}
		if x, ok := ParseType(w.String()); !ok || x.String() != w.String() {
			t.Errorf("%s is read as %v, %v", w, x, ok)
		}
	}
}

// BenchmarkJoin reports the time of a pair, over the 18×18 pairs of the design
// document, called through the interface.
func BenchmarkJoin(b *testing.B) {
	var s System = JAX
	var types []Type
	for _, n := range JAXDesign.Algebra().Names() {
		types = append(types, typ(b, n))
	}
	if _, err := s.Join(types[0], types[1]); err != nil { // builds the table
		b.Fatal(err)
	}
	b.ReportAllocs()
	failed := 0
	for b.Loop() {
		for _, x := range types {
			for _, y := range types {
				if _, err := s.Join(x, y); err != nil {
					failed++
				}
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(types)*len(types)), "ns/pair")
	if failed > 0 {
		b.Fatal(failed)
	}
}

func BenchmarkResult(b *testing.B) {
	var s System = JAX
	x, y := WeakFloat, Strong(core.Uint64)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Result(s, 32, x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func TestJoinDoesNotAllocate(t *testing.T) {
	var s System = JAX
	x, y := WeakFloat, Strong(core.Uint64)
	if n := testing.AllocsPerRun(100, func() { s.Join(x, y) }); n != 0 {
		t.Errorf("Join allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { Result(s, 32, x, y) }); n != 0 {
		t.Errorf("Result allocates %v times", n)
	}
	ox, oy := Operand{Type: x}, Operand{Type: y}
	if n := testing.AllocsPerRun(100, func() { ResultOf(s, 32, ox, oy) }); n != 0 {
		t.Errorf("ResultOf allocates %v times", n)
	}
}
