package weft_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/random"
)

type linear struct {
	W, B weft.Array
	Name string
	N    weft.Array
}

func TestTreeMaps(t *testing.T) {
	p := linear{weft.Of(1., 2), weft.Scalar(float32(3)), "l", weft.Of(7)}
	q := weft.TreeMap(func(x weft.Array) weft.Array { return x.Add(1) }, p)
	if got := fmt.Sprint(q.W, q.B, q.Name, q.N); got != "[2. 3.] 4.0l[8]" {
		t.Error(got)
	}
	g := weft.Grad(func(p linear) weft.Array { return p.W.Mul(p.B).Sum() })(p)
	next := weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g) }, p, g)
	if got := fmt.Sprint(next.W, next.B, next.N); got != "[-2. -1.] 0.0 [7]" {
		t.Error(got)
	}
	other := p
	other.Name = "m"
	fails(t, core.ErrTree, func() { weft.TreeMap2(func(x, y weft.Array) weft.Array { return x }, p, other) }, ".Name", `static "l"`, `static "m"`)
	fails(t, core.ErrTree, func() { weft.TreeMap(func(x weft.Array) weft.Array { return x }, linear{}) }, ".W", "no array")

	var paths []string
	for path, x := range weft.TreeLeaves([]linear{p}) {
		paths = append(paths, path+" "+x.String())
	}
	if got := strings.Join(paths, "; "); got != "[0].W [1. 2.]; [0].B 3.0; [0].N [7]" {
		t.Error(got)
	}
	s := weft.TreeStack(p, q)
	if got := fmt.Sprint(s.W, s.B); got != "[[1. 2.]\n [2. 3.]] [3. 4.]" {
		t.Error(got)
	}
	if got := weft.TreeIndex(s, 1); !got.W.Equal(q.W) || !got.N.Equal(q.N) {
		t.Error(got)
	}
	flat, back := weft.Ravel(p)
	if got := fmt.Sprintf("%+v", flat); got != "f32[4] [1. 2. 3. 7.]" {
		t.Error(got)
	}
	r := back(flat.Mul(2))
	if got := fmt.Sprintf("%+v %+v %+v", r.W, r.B, r.N); got != "f32[2] [2. 4.] f32[] 6.0 i32[1] [14]" {
		t.Error(got)
	}
	fails(t, core.ErrShape, func() { back(weft.Of(1.)) }, "4 elements", "f32[1]")
}

func TestTryAndNow(t *testing.T) {
	_, err := weft.Try(func() weft.Array { return weft.Of(1., 2).Add(weft.Of(1., 2, 3)) })
	if err == nil || !strings.Contains(err.Error(), "trees_test.go:") {
		t.Errorf("Try returns %v", err)
	}
	testcheck.PanicsWith(t, "other", func() { weft.Try(func() int { panic("other") }) })
}

// partlyFrozen has leaves of all kinds that have no derivative.
type partlyFrozen struct {
	A     weft.Array
	Fixed weft.Array `weft:"frozen"`
	Count weft.Array
	Key   random.Key
}

func (p partlyFrozen) loss() weft.Array { return p.A.Mul(p.Fixed).Mul(p.Count).Sum() }

func somePartlyFrozen() partlyFrozen {
	return partlyFrozen{weft.Of(1., 2), weft.Of(3., 4), weft.Of(5, 6), random.New(7)}
}

// TestTangentsOfFrozenLeaves checks that JVP moves the leaves that Grad and Linearize differentiate,
// and takes a gradient as a tangent.
func TestTangentsOfFrozenLeaves(t *testing.T) {
	p := somePartlyFrozen()
	g := weft.Grad(partlyFrozen.loss)(p)
	want := weft.Square(g.A).Sum()
	frozenMoves := g
	frozenMoves.Fixed = weft.Of(100., 100)
	_, linear := weft.Linearize(partlyFrozen.loss, p)
	for name, tangent := range map[string]partlyFrozen{"the gradient": g, "one that would move a frozen field": frozenMoves} {
		if _, got := weft.JVP(partlyFrozen.loss, p, tangent); !got.Equal(want) {
			t.Errorf("JVP along %s: got %v, want %v", name, got, want)
		}
		if got := linear(tangent); !got.Equal(want) {
			t.Errorf("Linearize along %s: got %v, want %v", name, got, want)
		}
	}
	bad := g
	bad.A = weft.Of(1., 2, 3)
	_, err := weft.Try(func() weft.Array { _, d := weft.JVP(partlyFrozen.loss, p, bad); return d })
	if err == nil || !strings.Contains(err.Error(), `JVP: the tangent at ".A" must be f32[2], got f32[3]`) {
		t.Errorf("a tangent of another shape: got %v", err)
	}
}

// TestFloat0LeavesInFunctionsOfTrees checks functions of trees, and messages, on gradients of frozen and integer leaves.
func TestFloat0LeavesInFunctionsOfTrees(t *testing.T) {
	g := weft.Grad(partlyFrozen.loss)(somePartlyFrozen())
	for name, got := range map[string]partlyFrozen{
		"StopGradient":       weft.StopGradient(g),
		"StopGradient, Jit":  weft.Jit(weft.StopGradient[partlyFrozen])(g),
		"StopGradient, Vmap": weft.TreeIndex(weft.Vmap(weft.StopGradient[partlyFrozen])(weft.TreeStack(g, g)), 0),
	} {
		if !got.A.Equal(g.A) || got.Fixed.DType() != weft.Float0 || got.Count.DType() != weft.Float0 {
			t.Errorf("%s: got %v, want %v", name, got, g)
		}
	}
	for name, f := range map[string]func() any{
		"Where": func() any { return weft.Where(weft.Of(true), g.Fixed, g.Fixed) },
		"IsNaN": func() any { return weft.IsNaN(g.Count) },
	} {
		_, err := weft.Try(f)
		if err == nil || !strings.Contains(err.Error(), `these are derivatives of integers, or of a field tagged weft:"frozen"`) {
			t.Errorf("%s: got %v, want why there are no elements", name, err)
		}
	}
	_, err := weft.Try(func() any { v, _ := weft.Ravel(somePartlyFrozen()); return v })
	if err == nil || !strings.Contains(err.Error(), `the leaf at ".Key.Data" is a key<fry>[]`) || !strings.Contains(err.Error(), "tree.Partition") {
		t.Errorf("Ravel of a tree with a key: got %v, want the leaf and tree.Partition", err)
	}
}

// brokenError has an Error method that fails for a nil pointer.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }
