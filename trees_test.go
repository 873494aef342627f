package weft_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
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
