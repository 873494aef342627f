package lax_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/random"
)

// The records of the golden data that name scientific primitives and have no text are what JAX does: types and refusals of
// calls, programs as source, samples of several variables, and the parameters of primitives. The other 177 are in TestScientificRecords
// of cmd/weft.
func TestScientificRecords(t *testing.T) {
	tests := map[string]func(t *testing.T, line []byte){
		"avals": scientificCall, "programs": scientificProgram, "prng": scientificSamples, "primitives": scientificParameters(t),
		// of TestScientificRecords of cmd/weft
		"evals": nil, "program_texts": nil, "autodiff": nil, "jaxprs": nil,
	}
	root := goldenfile.Path(t, "jax", "")
	count := map[string]int{}
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case rel == "suite":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".jsonl"):
			return nil
		}
		kind := strings.TrimSuffix(rel, ".jsonl")
		if dir := filepath.Dir(rel); dir != "." {
			kind = dir
		}
		n := 0
		for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, path)) {
			if n++; !golden.Scientific.Match(line) {
				continue
			}
			count[kind]++
			test, ok := tests[kind]
			if !ok {
				t.Errorf("%s:%d: no test reads this record", rel, n)
			}
			if test != nil {
				t.Run(fmt.Sprintf("%s_%d", kind, n), func(t *testing.T) { test(t, line) })
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"avals": 94, "autodiff": 73, "evals": 48, "program_texts": 8, "jaxprs": 48, "primitives": 19, "prng": 4, "programs": 2}
	if fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("records: got %v, want %v", count, want)
	}
}

func decode[T any](t *testing.T, line []byte) (r T) {
	t.Helper()
	if err := json.Unmarshal(line, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// scientificCall evaluates a call, which must have JAX's types or be refused as in JAX.
func scientificCall(t *testing.T, line []byte) {
	r := decode[avalRecord](t, line)
	got, err := typesOf(t, r)
	if _, unknown := err.(jax.Unknown); unknown || (err != nil) != (r.Error != "") || err == nil && !slices.Equal(got, r.Out) {
		t.Errorf("%s of %v: got %v, %v, want %v %s", r.Src, r.In, got, err, r.Out, r.Error)
	}
}

// scientificProgram runs a program, its derivatives and batches.
func scientificProgram(t *testing.T, line []byte) {
	r := &recordRun{t: t, programRecord: decode[programRecord](t, line), used: map[string]bool{}}
	r.all()
}

// scientificSamples draws the samples of a normal distribution of several variables by the eigenvectors, or the singular vectors, of
// its covariance.
func scientificSamples(t *testing.T, line []byte) {
	r := decode[struct {
		Fn   string
		Key  golden.Array
		Args struct {
			Mean, Cov     golden.Array
			Shape         []int
			DType, Method string
		}
		Out golden.Array
	}](t, line)
	if r.Fn != "multivariate_normal" {
		t.Fatalf("no test of %s", r.Fn)
	}
	mean, cov := weft.FromValue(r.Args.Mean.Value()), weft.FromValue(r.Args.Cov.Value())
	var vectors, sizes array
	switch r.Args.Method {
	case "eigh":
		sizes, vectors = linalg.Eigh(cov)
	case "svd":
		vectors, sizes, _ = linalg.SVD(cov)
	}
	key := random.As(random.Wrap(weft.FromValue(r.Key.Value())), cov.DType())
	normal := random.Normal(key, append(r.Args.Shape, mean.Dim(0))...)
	got := mean.Add(weft.Einsum("ij,nj->ni", vectors.Mul(weft.Sqrt(sizes)), normal))
	if d := golden.CompareAt(got.Value(), r.Out, 8, 1); d != "" {
		t.Error(d)
	}
}

// scientificParameters returns a test that JAX's texts have equations of a primitive with the parameters that it prints.
func scientificParameters(t *testing.T) func(t *testing.T, line []byte) {
	t.Helper()
	printed := map[string][][]string{}
	var each func(j *jaxpr.Jaxpr)
	each = func(j *jaxpr.Jaxpr) {
		for _, e := range j.Eqns {
			var names []string
			if p, ok := e.Prim.(interface{ Params() []core.Param }); ok {
				for _, param := range p.Params() {
					names = append(names, param.Key)
				}
			}
			if _, opaque := e.Prim.(*jaxpr.Opaque); !opaque {
				printed[e.Prim.Name()] = append(printed[e.Prim.Name()], names)
			}
			for _, inner := range jaxpr.Programs(e.Prim) {
				each(inner)
			}
		}
	}
	files, err := filepath.Glob(goldenfile.Path(t, "jax/jaxprs/*.jsonl", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for r := range goldenfile.Records[record](t, goldenfile.OpenFile(t, file)) {
			if j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary); err == nil {
				each(j)
			}
		}
	}
	return func(t *testing.T, line []byte) {
		r := decode[struct {
			Name   string
			Always []string `json:"always_printed"`
		}](t, line)
		if len(printed[r.Name]) == 0 {
			t.Errorf("%s: no text has an equation of it", r.Name)
		}
		for _, names := range printed[r.Name] {
			if !slices.Equal(slices.Sorted(slices.Values(names)), r.Always) && len(names)+len(r.Always) > 0 {
				t.Errorf("%s prints the parameters %v, want %v", r.Name, names, r.Always)
			}
		}
	}
}
