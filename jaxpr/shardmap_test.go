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

// The methods of a nil ShardMap fail under their own names.
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

// Specs cut along the axes that the program is mapped over.
func TestSpecsOfManualAxes(t *testing.T) {
	b := NewBuilder()
	j := b.Build(b.Input(core.Aval(core.Float32, 2)))
	cut := []Spec{{{"x"}}}
	for _, c := range []struct {
		in, out []Spec
		want    string
	}{
		{cut, []Spec{nil}, `the spec P('x',) of operand 0 names the axis "x", which the program is not mapped over (its axes are ["y"])`},
		{[]Spec{nil}, cut, `the spec P('x',) of result 0 names the axis "x"`},
	} {
		n := 2
		if len(c.in[0]) > 0 {
			n = 4
		}
		p := &ShardMap{Jaxpr: j, Mesh: Mesh{Axes: []MeshAxis{{"x", 2}, {"y", 2}}}, Manual: []string{"y"}, In: c.in, Out: c.out}
		if err := core.Catch(func() { p.Abstract([]core.ShapedArray{core.Aval(core.Float32, n)}) }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// Meshes of texts have bounded sizes, and each axis once.
func TestMeshOfText(t *testing.T) {
	const text = "{ lambda ; a:f32[2]. let b:f32[2] = shard_map[check_vma=False in_specs=(P(),) jaxpr={ lambda ; c:f32[2]. let in (c,) } mesh=Mesh(AXES) newly_manual_axes=frozenset({'x'}) out_specs=(P(),)] a in (b,) }"
	for axes, want := range map[string]string{
		"'x': 2, 'y': 1048576":       "at most 1048576 devices",
		"'x': 1048576, 'y': 1048576": "at most 1048576 devices",
		"'x': 0":                     "write a size from 1",
		"'x': 2, 'x': 2":             `has two axes "x"`,
		"'x': 2, 'y': 524288":        "",
	} {
		_, err := Parse(strings.Replace(text, "AXES", axes, 1), Vocabulary{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", axes, err, want)
		}
	}
}
