package stablehlo_test

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/runtime/cpu" // the native executors
)

// options make the reference executor's arrays.
var options = stablehlo.Options{
	Checks: true,
	Array: func(a core.ShapedArray) (core.Value, []byte) {
		x := runtime.New(a)
		return x, x.Tensor().Data
	},
	Share: func(a core.ShapedArray, data []byte) core.Value { return runtime.Shared(a, data) },
}

// conformanceFiles returns the programs of the StableHLO project's test data: all where
// WEFT_GOLDEN names the folder that has them, else those in testdata.
func conformanceFiles(t testing.TB) (files map[string]string, names []string) {
	return archive(t, goldenfile.Path(t, "stablehlo/dev.tar.gz", "testdata/conformance.tar.gz"))
}

// archive reads the files of a compressed archive.
func archive(t testing.TB, file string) (files map[string]string, names []string) {
	t.Helper()
	z := goldenfile.OpenFile(t, file)
	files = map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		name := path.Base(h.Name)
		files[name], names = string(b), append(names, name)
	}
	slices.Sort(names)
	require.NotEmpty(t, names)
	return files, names
}

var elementType = regexp.MustCompile(`_(bool|u?int|b?float|complex)\d*`)

// family returns a file's name up to its first element type.
func family(name string) string {
	name = strings.TrimSuffix(name, ".mlir")
	if at := elementType.FindStringIndex(name); at != nil {
		return name[:at[0]]
	}
	return strings.TrimRight(name, "_")
}

// exceptions returns the names of the programs whose expected results are farther from the exact ones than their
// tolerance. Their results must be within 8 ε of the largest element. testdata/exceptions.txt has the distance of each;
// testdata/exceptions.py measures it.
func exceptions(t testing.TB) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/exceptions.txt")
	require.NoError(t, err)
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		require.Greater(t, len(words), 5, "%q: a program, the tolerance, the distance, ε, what it was measured on, the reason", line)
		tolerance, distance := number(t, words[1]), number(t, words[2])
		require.Greater(t, distance, tolerance, "%s: an exact result is within the tolerance", words[0])
		require.LessOrEqual(t, number(t, words[3]), 8.0, words[0])
		names[words[0]+".mlir"] = true
	}
	return names
}

// number reads a number with or without a unit.
func number(t testing.TB, word string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.TrimSuffix(word, "ulp"), 64)
	require.NoError(t, err)
	return x
}

// TestConformance runs the programs of the StableHLO project on every executor and
// compares the results as the programs demand. With -v it prints the largest deviation of
// each file and how many of each family agree.
func TestConformance(t *testing.T) {
	t.Parallel()
	files, names := conformanceFiles(t)
	families := map[string][]string{}
	for _, name := range names {
		families[family(name)] = append(families[family(name)], name)
	}
	inexact := exceptions(t)
	sums := map[string]string{} // the results of the first executor, the reference
	for _, x := range runtime.Executors() {
		if x.Available() != nil {
			continue
		}
		t.Run(x.Name(), func(t *testing.T) {
			asStated, excepted, macro := 0, 0, 0.0
			for _, fam := range slices.Sorted(mapsKeys(families)) {
				good := 0
				t.Run(fam, func(t *testing.T) {
					for _, name := range families[fam] {
						stated, ok, what := conforms(x, name, files[name], inexact[name], sums)
						t.Logf("%s: %s", name, what)
						switch {
						case stated:
							good++
						case !ok:
							t.Errorf("%s: %s", name, what)
						default:
							excepted++
						}
					}
				})
				asStated += good
				macro += float64(good) / float64(len(families[fam]))
			}
			t.Logf("%d of %d files as stated, %d more within 8 ε of the largest element; macro average over %d families %.2f %%",
				asStated, len(names), excepted, len(families), 100*macro/float64(len(families)))
		})
	}
}

func mapsKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// conforms runs a program. stated reports whether its checks hold; ok, whether they hold or, for an exception, nearly do.
// The results must have the same bits on all executors: sums has a digest of the first executor's results.
func conforms(x runtime.Executor, name, text string, inexact bool, sums map[string]string) (stated, ok bool, what string) {
	p, out, err := runChecks(x, name, text)
	if err != nil {
		return false, false, err.Error()
	}
	stated, ok = true, true
	for i, c := range p.Checks {
		got, want := out[p.Results+2*i], out[p.Results+2*i+1]
		d := c.Compare(got.Aval(), got.Tensor().Data, want.Tensor().Data)
		what += fmt.Sprintf("%s %s ", c.Name, d)
		if d.Index >= 0 {
			stated = false
			ok = ok && inexact && d.Norm <= 8
		}
	}
	if len(p.Checks) == 0 {
		return false, false, "checks nothing"
	}
	digest := sha256.New()
	for _, a := range out {
		digest.Write(a.Tensor().Data)
	}
	sum := string(digest.Sum(nil))
	if want, ran := sums[name]; !ran {
		sums[name] = sum
	} else if sum != want {
		return false, false, "other bits than those of the reference; " + what
	}
	return stated, ok, what
}

func runChecks(x runtime.Executor, name, text string) (p *stablehlo.Program, out []*runtime.Array, err error) {
	m, err := stablehlo.Parse(name, text)
	if err != nil {
		return nil, nil, err
	}
	if p, err = m.Program(m.Main(), nil, options); err != nil {
		return nil, nil, err
	}
	if err = jaxpr.Check(p.Jaxpr); err != nil {
		return nil, nil, err
	}
	out, err = runtime.Evaluate(context.Background(), x, p.Jaxpr, nil)
	return p, out, err
}
