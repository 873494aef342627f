package jaxpr

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

// The axes of a mesh are the matches of an expression, in mutated texts, too.
func TestMeshAxes(t *testing.T) {
	match := regexp.MustCompile(`'([^']*)': ([0-9]+)`)
	check := func(text string) {
		t.Helper()
		var want []textAxis
		for _, m := range match.FindAllStringSubmatch(text, -1) {
			want = append(want, textAxis{m[1], m[2]})
		}
		if got := meshAxes(text); !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", text, got, want)
		}
	}
	const text = "Mesh('x': 1, 'data': 20, axis_types=(Auto, Auto))"
	if got, want := meshAxes(text), []textAxis{{"x", "1"}, {"data", "20"}}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := []byte(text)
		for range r.IntN(8) {
			i := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b = slices.Delete(b, i, i+1)
			case 1:
				b = slices.Insert(b, i, "': 1x"[r.IntN(5)])
			default:
				b[i] = "': 1x"[r.IntN(5)]
			}
		}
		check(string(b))
	}
}

// A method of no ShardMap fails with its own name.
func TestShardMapWithoutReceiver(t *testing.T) {
	var p *ShardMap
	for name, f := range map[string]func(){
		"Abstract":    func() { p.Abstract(nil) },
		"Expand":      func() { p.Expand(nil) },
		"InPiece":     func() { p.InPiece(0, "", core.ShapedArray{}) },
		"ManualAxes":  func() { p.ManualAxes() },
		"Params":      func() { p.Params() },
		"Region":      func() { p.Region() },
		"RequireSame": func() { p.RequireSame(0, "", core.ShapedArray{}) },
	} {
		if err := core.Catch(f); err == nil || !strings.Contains(err.Error(), "jaxpr.ShardMap."+name+":") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
