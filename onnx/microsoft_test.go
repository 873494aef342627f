package onnx_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

// Operators of ONNX Runtime's domain, and attributes that the conformance suite leaves out, have
// the results of ONNX Runtime: called, jitted, and with all inputs but the first known beforehand.
func TestMicrosoft(t *testing.T) {
	const folder = "testdata/microsoft/"
	files := archive(t, "onnx/microsoft.tar.gz", folder+"cases.tar.gz")
	ran := 0
	for _, r := range table(t, "onnx/microsoft.tsv", folder+"cases.tsv") {
		ran++
		c := conformanceCase{name: r["name"], row: r, files: files}
		c.rtol, _ = strconv.ParseFloat(r["rtol"], 64)
		c.atol, _ = strconv.ParseFloat(r["atol"], 64)
		if err := c.run(1); err != nil {
			t.Errorf("%s (%s): %v", c.name, r["op"], err)
			continue
		}
		if err := c.constants(); err != nil {
			t.Errorf("%s (%s), with constants: %v", c.name, r["op"], err)
		}
	}
	if ran < 100 {
		t.Errorf("got %d cases, want more than 100", ran)
	}
}

// constants evaluates a case with all inputs bound but the first.
func (c conformanceCase) constants() (err error) {
	m, err := onnx.LoadBytes(c.files[c.name+"/model.onnx"], c.open)
	if err != nil {
		return err
	}
	dir := c.name + "/test_data_set_0/"
	bound := map[string]weft.Array{}
	var first weft.Array
	for i, v := range m.Inputs() {
		x, _, err := tensor(c.files[dir+"input_"+strconv.Itoa(i)+".pb"])
		if err != nil {
			return err
		}
		if i == 0 {
			first = x
		} else {
			bound[v.Name] = x
		}
	}
	b, err := m.Bind(bound)
	if err != nil {
		return err
	}
	for range 2 { // the second trace has the constants of the first
		out, err := weft.Try(func() []weft.Array { return weft.Jit(b.Func())([]weft.Array{first}) })
		if err != nil {
			return err
		}
		for i, y := range out {
			want, _, err := tensor(c.files[dir+"output_"+strconv.Itoa(i)+".pb"])
			if err != nil {
				return err
			}
			if d := differs(y, want, c.rtol, c.atol); d != "" {
				return fmt.Errorf("output %d: %s", i, d)
			}
		}
	}
	return nil
}

// A cache that is donated stays where it is: a step writes the new keys and values into it.
func TestCacheInPlace(t *testing.T) {
	files := archive(t, "onnx/microsoft.tar.gz", "testdata/microsoft/cases.tar.gz")
	m, err := onnx.LoadBytes(files["group_room/model.onnx"], nil)
	if err != nil {
		t.Fatal(err)
	}
	bound := map[string]weft.Array{}
	var rest, caches []weft.Array
	for i, v := range m.Inputs() {
		x, _, err := tensor(files["group_room/test_data_set_0/input_"+strconv.Itoa(i)+".pb"])
		switch {
		case err != nil:
			t.Fatal(err)
		case i == 6: // the number of keys
			bound[v.Name] = x
		case x.Rank() == 4:
			caches = append(caches, x)
		default:
			rest = append(rest, x)
		}
	}
	if m, err = m.Bind(bound); err != nil {
		t.Fatal(err)
	}
	step := weft.Jit(func(caches, rest []weft.Array) []weft.Array {
		return m.Func()(slices.Concat(rest[:3], caches, rest[3:]))
	}, weft.Donate(0))
	place := func(x weft.Array) *byte { return unsafe.SliceData(x.Value().(*runtime.Array).Tensor().Data) }
	for range 3 {
		before := []*byte{place(caches[0]), place(caches[1])}
		caches = step(caches, rest)[1:]
		for i, c := range caches {
			if place(c) != before[i] {
				t.Errorf("cache %d moved", i)
			}
		}
	}
}
