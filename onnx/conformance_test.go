package onnx_test

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

// archive returns the files of a tar archive by name.
func archive(t *testing.T, name, subset string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	r := tar.NewReader(goldenfile.Open(t, name, subset))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[path.Clean(h.Name)], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

// table returns the lines of a file of columns, by the names of its first line.
func table(t *testing.T, name, subset string) []map[string]string {
	t.Helper()
	var head []string
	var out []map[string]string
	s := bufio.NewScanner(goldenfile.Open(t, name, subset))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		cells := strings.Split(s.Text(), "\t")
		if head == nil {
			head = cells
			continue
		}
		row := map[string]string{}
		for i, c := range cells {
			row[head[i]] = c
		}
		out = append(out, row)
	}
	return out
}

// tensor returns the array of a file.
func tensor(data []byte) (weft.Array, string, error) {
	x, err := format.ReadTensor(data)
	if err != nil {
		return weft.Array{}, "", err
	}
	if x.Elem == format.String {
		return weft.Array{}, "", errors.New("texts")
	}
	dims := make([]int, len(x.Dims))
	for i, d := range x.Dims {
		dims[i] = int(d)
	}
	a := runtime.New(core.ShapedArray{Shape: core.MakeDims(dims...), DType: x.Elem.DType()})
	copy(a.Tensor().Data, x.Data)
	return weft.FromValue(a), x.Name, nil
}

// differs returns how an array differs from the wanted one, "" if it is within the tolerances.
func differs(got, want weft.Array, rtol, atol float64) string {
	if got.DType() != want.DType() || !slices.Equal(got.Shape(), want.Shape()) {
		return fmt.Sprintf("got %v%v, want %v%v", got.DType(), got.Shape(), want.DType(), want.Shape())
	}
	if dt := want.DType(); dt == weft.Complex64 || dt == weft.Complex128 {
		if d := differs(got.Real(), want.Real(), rtol, atol); d != "" {
			return d
		}
		return differs(got.Imag(), want.Imag(), rtol, atol)
	}
	exact := want.DType().IsInteger() || want.DType() == weft.Bool
	x, y := weft.ToSlice[float64](got.AsType(weft.Float64).Ravel()), weft.ToSlice[float64](want.AsType(weft.Float64).Ravel())
	for i := range y {
		switch {
		case x[i] == y[i], math.IsNaN(x[i]) && math.IsNaN(y[i]):
		case exact || !(math.Abs(x[i]-y[i]) <= atol+rtol*math.Abs(y[i])):
			return fmt.Sprintf("element %d is %v, want %v", i, x[i], y[i])
		}
	}
	return ""
}

// A conformanceCase is a model with inputs and outputs.
type conformanceCase struct {
	name       string
	row        map[string]string
	files      map[string][]byte
	rtol, atol float64
}

func (c conformanceCase) open(name string) ([]byte, error) {
	if b, ok := c.files[c.name+"/"+name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("there is no file %s", name)
}

// run evaluates a case: eagerly, and jitted with the inputs bound that decide shapes.
func (c conformanceCase) run(sets int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	m, err := onnx.LoadBytes(c.files[c.name+"/model.onnx"], c.open)
	if err != nil {
		return err
	}
	for set := range sets {
		dir := fmt.Sprintf("%s/test_data_set_%d/", c.name, set)
		var in []weft.Array
		bound := map[string]weft.Array{}
		static := map[int]bool{}
		for s := range strings.SplitSeq(c.row["static"], ",") {
			if i, err := strconv.Atoi(s); err == nil {
				static[i] = true
			}
		}
		var free []weft.Array
		for i, v := range m.Inputs() {
			x, _, err := tensor(c.files[dir+"input_"+strconv.Itoa(i)+".pb"])
			if err != nil {
				return fmt.Errorf("input %d: %w", i, err)
			}
			in = append(in, x)
			if static[i] {
				bound[v.Name] = x
			} else {
				free = append(free, x)
			}
		}
		check := func(how string, out []weft.Array, err error) error {
			if err != nil {
				return fmt.Errorf("%s: %w", how, err)
			}
			for i, y := range out {
				data, ok := c.files[dir+"output_"+strconv.Itoa(i)+".pb"]
				if !ok {
					return fmt.Errorf("there is no output %d", i)
				}
				want, _, err := tensor(data)
				if err != nil {
					return fmt.Errorf("output %d: %w", i, err)
				}
				if strings.Contains(c.row["tags"], "random") {
					if y.DType() != want.DType() || !slices.Equal(y.Shape(), want.Shape()) {
						return fmt.Errorf("%s: output %d: got %v%v, want %v%v", how, i, y.DType(), y.Shape(), want.DType(), want.Shape())
					}
					continue
				}
				if d := differs(y, want, c.rtol, c.atol); d != "" {
					return fmt.Errorf("%s: output %d: %s", how, i, d)
				}
			}
			return nil
		}
		out, err := m.Call(in...)
		if err := check("called", out, err); err != nil {
			return err
		}
		if strings.Contains(c.row["tags"], "datadep") || strings.Contains(c.row["tags"], "control") {
			continue
		}
		b, err := m.Bind(bound)
		if err != nil {
			return err
		}
		out, err = weft.Try(func() []weft.Array { return weft.Jit(b.Func())(free) })
		if err := check("jitted", out, err); err != nil {
			return err
		}
	}
	return nil
}

// The operators compute what the ONNX project's conformance suite expects. With -v the test
// prints how many cases of each operator pass.
func TestConformance(t *testing.T) {
	const folder = "testdata/conformance/"
	files := archive(t, "onnx/nodes.tar.gz", folder+"nodes.tar.gz")
	tiers := map[string]string{}
	for _, r := range table(t, "onnx/ops.tsv", folder+"ops.tsv") {
		tiers[r["operator"]] = r["tier"]
	}
	type tally struct{ passed, all int }
	counts := map[string]*tally{}
	total, failed := tally{}, []string{}
	for _, r := range table(t, "onnx/nodes.tsv", folder+"nodes.tsv") {
		if tags := strings.Split(r["tags"], ","); tiers[r["op"]] == "3" || slices.ContainsFunc(tags, func(s string) bool {
			return slices.Contains([]string{"string", "seq", "optional", "map", "ml", "training", "preview", "image"}, s)
		}) {
			continue
		}
		c := conformanceCase{name: r["suite"] + "/" + r["name"], row: r, files: files}
		if files[c.name+"/model.onnx"] == nil {
			continue // not in the subset
		}
		c.rtol, _ = strconv.ParseFloat(r["rtol"], 64)
		c.atol, _ = strconv.ParseFloat(r["atol"], 64)
		sets, _ := strconv.Atoi(r["sets"])
		if counts[r["op"]] == nil {
			counts[r["op"]] = &tally{}
		}
		counts[r["op"]].all++
		total.all++
		if err := c.run(sets); err != nil {
			failed = append(failed, fmt.Sprintf("%s (%s, opset %s): %v", c.name, r["op"], r["opset"], err))
			continue
		}
		counts[r["op"]].passed++
		total.passed++
	}
	for _, op := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-28s %3d of %3d", op, counts[op].passed, counts[op].all)
	}
	t.Logf("%d of %d cases pass", total.passed, total.all)
	for _, f := range failed {
		t.Error(f)
	}
}
