package weft_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house is the table of the design, as it stands there. A line of a floor begins with its packages;
// packages under one of them stand on its floor.
const house = `
floor 8  examples/…  cmd/weft   programs for people; they import only the façade and the libraries beside it
floor 7  .  (package weft)      Array, operators, Jit Grad Vmap JVP VJP Cond Scan While, Jaxpr, Try: generics, pytrees, panic → error; thin: what it does stands in internal/
         lax                    one function a primitive: no promotion, strict dtypes; what JAX's lax is (the façade is its jnp)
         nn custom random optim data ode linalg fft special stats stablehlo onnx mesh wefttest …  libraries on the façade's floor
floor 6  runtime                devices, buffers, executables, compile cache; the bottom interpreter (sets core.Bottom).
         runtime/cpu …          cuda, opencl, pjrt, mpi: executors and transports, beside it; they may import it. Memory, queues, launches; no lowering
floor 5  transforms   lower     jvp, linearize, transpose, vmap as interpreters, and their rules for programs within programs │ the corridor of the compiler:
                                lower/scalar (scalar IR) → lower/expand (primitive → scalar program) → lower/ir (kernel IR, canonical orders) → lower/reference (the numbers in Go; linalg, fft, special below it)
                                → lower (passes over jaxprs) → lower/legalize (operations a target lacks) → lower/irpass (kernel → kernel) → lower/fuse (jaxpr → plan) → lower/schedule (how a machine divides work)
                                → lower/native (machine-neutral code generation) → lower/native/amd64, arm64, wasm │ lower/simt → lower/ptx, lower/opencl; lower/stablehlo, lower/onnx: files. Each imports only what stands before it
floor 4  trace                  Recorder: Go function → jaxpr; looking at known values; user's file:line; escaped-tracer check
floor 3  core/prim …            the vocabulary, a file per op: what each leaf op means; beside it those that no rule in it needs: indexed, windows, matrices, rng, hostcall
floor 2  promote  jaxpr         dtype lattices │ the IR: Jaxpr, Eqn, Check, Eval, printer, parser (vocabulary passed in), and the *types*
                                of programs within programs (Jit, Cond, While, Scan, Remat, CustomJVP, CustomVJP, CustomLin)
floor 1  core  core/tree        Value, Interpreter, Bind, Primitive, Literal, Dims, DType, ShapedArray, Error │ pytrees by reflection
`

// annex contains the packages that the table has behind its "…", and those that it does not name.
const annex = `
floor 9  internal/test
floor 8  bench
floor 7  image tree equinox tokenizer internal/stirling
floor 6  internal
floor 2  internal/pages
`

// order lists the packages under a name so that each imports only those before it, and those below its own name. The order of lower is read from
// the house's table, from the corridor on.
var order = map[string][]string{
	"core":       {"core", "core/elem", "core/tree", "core/prim/internal/rule", "core/prim", "core/prim/indexed", "core/prim/hostcall", "core/prim/matrices", "core/prim/rng", "core/prim/windows"},
	"lower":      corridor(house),
	"transforms": {"transforms/internal", "transforms/exchange", "transforms/discharge", "transforms"},
	"runtime":    {"runtime/internal", "runtime", "runtime/device", "runtime/cpu", "runtime/opencl", "runtime/cuda", "runtime/pjrt", "runtime/mpi"},
}

// sideways contains the imports of the same floor besides those of the design, which are: packages
// under one name import each other (in an order: see TestCorridor), and the libraries of floor 7 import the façade.
const sideways = `
fft linalg mesh nn random special stats -> lax
linalg ode special -> custom
nn -> random
stats -> special
onnx -> fft lax linalg nn random
special stats -> internal/stirling
internal -> runtime
`

// programs contains what programs for people import besides the façade and the libraries: the
// command is the compiler's; examples that rewrite programs use the IR and its passes.
const programs = `
cmd/weft -> core core/elem core/prim internal jaxpr lower promote runtime transforms
examples/inverse examples/cosify examples/omnistaging -> jaxpr lower
examples/legacy examples/flops examples/mask -> jaxpr
examples/omnistaging -> core
examples/anvil -> promote
examples/digits examples/heat examples/parallel examples/tensorparallel -> runtime
bench -> core lower runtime
. -> internal/test/simulated
runtime/cuda/internal/cu -> internal/test/fakecuda
`

const module = "github.com/weft-go/weft"

// floors returns the floor of each package that stands at the beginning of a line of the tables.
func floors(t *testing.T, tables string) map[string]int {
	floor, level := map[string]int{}, 0
	for line := range strings.Lines(tables) {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "floor" {
			n, err := strconv.Atoi(words[1])
			if err != nil {
				t.Fatal(err)
			}
			level, words = n, words[2:]
		}
		for _, w := range words {
			if w == "…" {
				continue
			}
			name := strings.TrimSuffix(w, "/…")
			if d, err := os.Stat(name); err != nil || !d.IsDir() {
				break
			}
			floor[name] = level
		}
	}
	return floor
}

// arrows returns the imports that lines "packages -> packages" allow, as unused.
func arrows(table string) map[[2]string]bool {
	used := map[[2]string]bool{}
	for line := range strings.Lines(table) {
		from, to, _ := strings.Cut(line, " -> ")
		for _, f := range strings.Fields(from) {
			for _, p := range strings.Fields(to) {
				used[[2]string{f, p}] = false
			}
		}
	}
	return used
}

// within reports whether a package is dir or lies under it.
func within(pkg, dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }

// room returns the longest name of the tables under which a package lies, and its floor.
func room(floor map[string]int, pkg string) (name string, level int) {
	for dir, n := range floor {
		if within(pkg, dir) && len(dir) > len(name) {
			name, level = dir, n
		}
	}
	return name, level
}

// allowed reports whether an arrow allows an import, and marks it as used.
func allowed(used map[[2]string]bool, from, to string) bool {
	ok := false
	for a := range used {
		if within(from, a[0]) && within(to, a[1]) {
			used[a], ok = true, true
		}
	}
	return ok
}

// Imports point down the floors of the house.
func TestLayers(t *testing.T) {
	floor := floors(t, house+annex)
	for i := 1; i <= 9; i++ {
		if !slices.Contains(slices.Collect(maps.Values(floor)), i) {
			t.Fatalf("no package on floor %d: %v", i, floor)
		}
	}
	beside, above := arrows(sideways), arrows(programs)
	checked := 0
	for pkg, files := range imports(t) {
		_, own := room(floor, pkg)
		if own == 0 {
			t.Errorf("package %s stands on no floor of the house", pkg)
		}
		top, _, _ := strings.Cut(pkg, "/")
		for to, file := range files {
			checked++
			_, level := room(floor, to)
			switch {
			case own < 9 && level == 9 && !allowed(above, pkg, to):
				t.Errorf("%s: %s imports %s, which is for tests", file, pkg, to)
			case own == 9, level == 9:
			case own == 8 && level < 7 && !allowed(above, pkg, to):
				t.Errorf("%s: a program imports %s, which is neither the façade nor a library", file, to)
			case level < own, level == own && within(to, top):
			case own == 7 && to == ".":
			case level == own && allowed(beside, pkg, to):
			default:
				t.Errorf("%s: %s (floor %d) imports %s (floor %d), which is not below it", file, pkg, own, to, level)
			}
		}
	}
	if checked < 350 {
		t.Errorf("only %d imports were checked", checked)
	}
	for _, table := range []map[[2]string]bool{beside, above} {
		for a, used := range table {
			if !used {
				t.Errorf("nothing under %s imports %s; remove the arrow", a[0], a[1])
			}
		}
	}
}

// corridor returns the packages of lower in the order of the table.
func corridor(table string) []string {
	_, text, _ := strings.Cut(table, "corridor")
	text, _, _ = strings.Cut(text, "floor 4")
	return regexp.MustCompile(`\blower(/\w+)*`).FindAllString(text, -1)
}

// position returns the index in an order of the longest name under which a package lies, −1 if there is
// none. The root stands for itself only.
func position(order []string, root, pkg string) int {
	at := -1
	for i, name := range order {
		if (pkg == name || name != root && within(pkg, name)) && (at < 0 || len(name) > len(order[at])) {
			at = i
		}
	}
	return at
}

// Imports within core, within lower and within runtime point to packages before.
func TestCorridor(t *testing.T) {
	checked := 0
	for pkg, files := range imports(t) {
		root, _, _ := strings.Cut(pkg, "/")
		names := order[root]
		if names == nil {
			continue
		}
		own := position(names, root, pkg)
		if own < 0 {
			t.Errorf("package %s has no place in the order %v", pkg, names)
		}
		for to, file := range files {
			if !within(to, root) {
				continue
			}
			checked++
			if position(names, root, to) > own {
				t.Errorf("%s: %s imports %s, which comes later", file, pkg, to)
			}
		}
	}
	if checked < 35 {
		t.Errorf("only %d imports were checked", checked)
	}
}

// imports returns the packages of the module that each package imports outside of tests, with a file
// that does.
func imports(t *testing.T) map[string]map[string]string {
	out := map[string]map[string]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if out[pkg] == nil {
			out[pkg] = map[string]string{}
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if name == module {
				out[pkg]["."] = file
			} else if to, ok := strings.CutPrefix(name, module+"/"); ok {
				out[pkg][to] = file
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
