package tree

import (
	"fmt"
	"maps"
	"reflect"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

type (
	params  map[string]leafT
	group   map[string]params
	groups  map[string]group
	forest  map[string]forest
	pointed map[string]*inner
)

// rebuilt flattens v and rebuilds it from other leaves: 100, 101, ….
func rebuilt[P any](t *testing.T, v P) (out P, leaves []int, key string) {
	t.Helper()
	plan, f := flatten(t, v)
	leaves, key = values(f.Leaves), string(f.Key())
	fresh := make([]leafT, len(f.Leaves))
	for i := range fresh {
		fresh[i] = num(100 + i)
	}
	def := plan.Def(unsafe.Pointer(&v))
	for range 2 { // a Def is used again
		out = *new(P)
		if rest := def.Rebuild(unsafe.Pointer(&out), fresh); len(rest) != 0 {
			t.Fatalf("%T: %d leaves are left", v, len(rest))
		}
	}
	return out, leaves, key
}

// Maps whose elements are maps or pointers are read and written as maps of words.
func TestMapsOfWords(t *testing.T) {
	many := group{}
	for i := range 40 { // more than one group of slots
		many[fmt.Sprintf("layer%02d", i)] = params{"w": num(2*i + 1), "b": num(2 * i)}
	}
	out, leaves, key := rebuilt(t, groups{"x": many, "n": nil, "e": group{}, "y": {"only": {"w": num(80)}, "none": nil, "empty": {}}})
	for i, v := range leaves {
		if v != i {
			t.Fatalf("leaf %d: got %d", i, v)
		}
	}
	if out["n"] != nil || out["e"] == nil || len(out["e"]) != 0 || out["y"]["none"] != nil || out["y"]["empty"] == nil {
		t.Errorf("nil and empty maps are not kept: %v", out)
	}
	if _, ok := out["y"]["none"]; !ok || len(out) != 4 || len(out["x"]) != 40 || len(out["y"]) != 3 {
		t.Errorf("keys are not kept: %v", out)
	}
	for i := range 40 {
		p := out["x"][fmt.Sprintf("layer%02d", i)]
		if *p["b"].v != 100+2*i || *p["w"].v != 101+2*i {
			t.Errorf("layer %d: got %d and %d", i, *p["b"].v, *p["w"].v)
		}
	}
	out["x"]["new"] = params{"w": num(1)} // a rebuilt map works like any other
	if clone := maps.Clone(out["x"]); len(clone) != 41 || !reflect.DeepEqual(clone, out["x"]) {
		t.Error("a rebuilt map is not the same as its copy")
	}
	again := groups{"x": maps.Clone(many), "n": nil, "e": group{}, "y": {"only": {"w": num(80)}, "none": nil, "empty": {}}}
	if _, _, same := rebuilt(t, again); same != key {
		t.Error("equal structures have different keys")
	}
	delete(again["x"], "layer07")
	again["x"]["layer40"] = params{"w": num(0), "b": num(0)}
	if _, _, other := rebuilt(t, again); other == key {
		t.Error("a map with as many other keys has the same key")
	}

	p, leaves, _ := rebuilt(t, pointed{"b": {num(3), num(4)}, "a": {num(1), num(2)}, "nil": nil})
	if d := cmp.Diff([]int{1, 2, 3, 4}, leaves); d != "" {
		t.Errorf("pointers: %s", d)
	}
	if *p["a"].A.v != 100 || *p["b"].B.v != 103 || p["nil"] != nil || len(p) != 3 {
		t.Errorf("pointers: rebuilt %v", p)
	}

	d, _, _ := rebuilt(t, forest{"a": {"b": {}, "c": nil}, "d": {"e": {"f": nil}}})
	if want := (forest{"a": {"b": {}, "c": nil}, "d": {"e": {"f": nil}}}); !reflect.DeepEqual(d, want) {
		t.Errorf("a recursive type: got %v, want %v", d, want)
	}
}

// Maps with the same number of keys alternate at one node and are nested.
func TestMapsOfWordsAlternate(t *testing.T) {
	plan, f := flatten(t, groups{})
	for i := range 60 {
		names := []string{"a", "b", "c", "d"}[i%3:]
		v := groups{}
		for k, outer := range names {
			v[outer] = group{names[len(names)-1]: {"w": num(2 * k)}, "z": {"w": num(2*k + 1)}}
		}
		f.Reset()
		plan.Flatten(f, unsafe.Pointer(&v))
		for j, got := range values(f.Leaves) {
			if got != j {
				t.Fatalf("round %d, leaf %d: got %d", i, j, got)
			}
		}
		if len(f.Leaves) != 2*len(names) {
			t.Fatalf("round %d: got %d leaves, want %d", i, len(f.Leaves), 2*len(names))
		}
	}
}

// Maps that are read and written by reflection, as they are where maps of words are not known
// to have one layout, have the same leaves and keys.
func TestMapsOfWordsByReflection(t *testing.T) {
	type (
		pointers map[string]*inner
		nested   map[string]pointers
	)
	v := nested{"y": {"b": {num(2), num(3)}, "a": {num(0), num(1)}, "nil": nil}, "z": nil, "x": {}}
	plan := planOf(t, v)
	if !plan.root.words || !plan.root.elem.words {
		t.Fatal("the maps are not read as maps of words")
	}
	byWords, leaves, key := rebuilt(t, v)
	plan.root.words, plan.root.elem.words = false, false
	byReflection, sameLeaves, sameKey := rebuilt(t, v)
	if key != sameKey || !reflect.DeepEqual(leaves, sameLeaves) || !reflect.DeepEqual(byWords, byReflection) {
		t.Errorf("got %v, %v and %q, want %v, %v and %q", byWords, leaves, key, byReflection, sameLeaves, sameKey)
	}
	if *byReflection["y"]["b"].A.v != 102 || byReflection["z"] != nil || byReflection["x"] == nil {
		t.Errorf("rebuilt %v", byReflection)
	}
}
