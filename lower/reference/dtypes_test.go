package reference

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// dtypeHoles are pairs of an operation and a dtype that types allow and no kernel
// has, with the reason.
var dtypeHoles = map[string]string{}

// pairsOfWordsAndDTypes is how many pairs types allow, at least: an operation does
// not lose a dtype unseen.
const pairsOfWordsAndDTypes = 3485

// sampleTypes returns the operand types of s with every dtype in the place of each of
// its own.
func sampleTypes(s primtest.Sample) [][]core.ShapedArray {
	list := [][]core.ShapedArray{s.In}
	seen := map[core.DType]bool{}
	for _, a := range s.In {
		if seen[a.DType] {
			continue
		}
		seen[a.DType] = true
		for dt := core.DType(1); int(dt) < core.NumDTypes; dt++ {
			if dt == a.DType || dt == core.Token || dt.IsOtherKey() {
				continue
			}
			in := slices.Clone(s.In)
			for i := range in {
				if in[i].DType == a.DType {
					in[i].DType = dt
				}
			}
			list = append(list, in)
		}
	}
	return list
}

// spoiled fills what a kernel is to fill.
func spoiled(out []*block.Tensor, with byte) {
	for _, y := range out {
		for i := range y.Data {
			y.Data[i] = with
		}
	}
}

// TestEveryDType; for all operand types an operation accepts, there is a kernel for
// them; it fills its results regardless of what was in them, and takes any operands.
func TestEveryDType(t *testing.T) {
	pairs, done := map[string]bool{}, map[string]bool{}
	for _, s := range primtest.All() {
		name := s.Prim.Name()
		if !Has(s.Prim) {
			continue // an executor's own, or none: see TestTableIsComplete
		}
		for _, in := range sampleTypes(s) {
			key := fmt.Sprint(s.Prim, " ", in)
			if done[key] {
				continue
			}
			done[key] = true
			var types []core.ShapedArray
			if core.Catch(func() { types = core.AbstractOf(s.Prim, in) }) != nil {
				continue // refused by its types
			}
			dts := make([]string, 0, len(in))
			var args []*block.Tensor
			for k, a := range in {
				x := block.NewTensor(a)
				if a.DType == core.Key {
					for i := range x.Data {
						x.Data[i] = byte(i * 37)
					}
				} else if a.DType != core.Float0 {
					spreadTensor(x, uint64(k))
				}
				args = append(args, x)
				dts = append(dts, a.DType.String())
			}
			slices.Sort(dts)
			pair := name + " " + strings.Join(slices.Compact(dts), " ")
			pairs[pair] = true
			var first, second []*block.Tensor
			for _, a := range types {
				first, second = append(first, block.NewTensor(a)), append(second, block.NewTensor(a))
			}
			spoiled(second, 0xa5)
			run := func(out []*block.Tensor) error {
				return core.Catch(func() {
					if f, ok := LookupProgram(s.Prim); ok {
						f(s.Prim, runFlat, args, out)
						return
					}
					f, _ := Prepare(s.Prim, in, types)
					f(s.Prim, args, out)
				})
			}
			err := run(first)
			if why, excused := dtypeHoles[pair]; (err != nil) != excused {
				t.Errorf("%s of %v: %v; excuse %q", name, in, err, why)
			}
			if err != nil {
				continue
			}
			run(second)
			for i := range first {
				if !bytes.Equal(first[i].Data, second[i].Data) {
					t.Errorf("%s of %v: result %d depends on what was there before", name, in, i)
				}
			}
		}
	}
	if len(pairs) < pairsOfWordsAndDTypes {
		t.Errorf("%d pairs of an operation and dtypes, there were %d", len(pairs), pairsOfWordsAndDTypes)
	}
	if testing.Verbose() {
		t.Logf("%d pairs", len(pairs))
	}
	for pair := range maps.Keys(dtypeHoles) {
		if !pairs[pair] {
			t.Errorf("%q is excused but does not exist", pair)
		}
	}
}
