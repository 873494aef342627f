package tree_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/tree"
	"github.com/weft-go/weft/wefttest"
)

type model struct {
	Body  []nn.Linear
	Head  nn.Linear
	Key   random.Key
	Count weft.Array
	Name  string
}

func sample() model {
	a, b := random.New(0).Split()
	return model{[]nn.Linear{nn.NewLinear(a, 3, 4), nn.NewLinear(b, 4, 4)}, nn.NewLinear(a, 4, 1), random.New(5), weft.Of(1, 2), "m"}
}

func (m model) loss(x weft.Array) weft.Array {
	for _, l := range m.Body {
		x = weft.Tanh(l.Apply(x))
	}
	return weft.Square(m.Head.Apply(x)).Mean()
}

func inHead(path string, _ weft.Array) bool { return strings.HasPrefix(path, ".Head") }

func TestPartitionAndCombine(t *testing.T) {
	m := sample()
	for name, keep := range map[string]func(string, weft.Array) bool{
		"head": inHead, "matrices": optim.Matrices,
		"all":  func(string, weft.Array) bool { return true },
		"none": func(string, weft.Array) bool { return false },
	} {
		chosen, others := tree.Partition(m, keep)
		for path, x := range weft.TreeLeaves(chosen) {
			for other, y := range weft.TreeLeaves(others) {
				if path == other && (x.DType() == weft.Float0) == (y.DType() == weft.Float0) {
					t.Errorf("%s: %s is in both parts or in none", name, path)
				}
			}
		}
		for how, whole := range map[string]model{"in order": tree.Combine(chosen, others), "reversed": tree.Combine(others, chosen)} {
			if d := wefttest.Difference(whole, m, wefttest.Tolerance{}); d != "" || whole.Name != "m" {
				t.Errorf("%s, %s: combined, %s", name, how, d)
			}
		}
	}
	both, _ := tree.Partition(m, inHead)
	scaled := weft.TreeMap(func(x weft.Array) weft.Array { return x.Mul(2) }, both)
	if got := tree.Combine(scaled, m); !got.Head.W.Equal(m.Head.W.Mul(2)) || !got.Body[0].W.Equal(m.Body[0].W) {
		t.Errorf("the first tree that has a leaf must win: got %v", got.Head.W)
	}
}

// A part is trained alone, eager and staged, with optimizers, and saved alone.
func TestTrainOnePart(t *testing.T) {
	m, x := sample(), random.Normal(random.New(9), 6, 3)
	head, body := tree.Partition(m, inHead)
	gradient := func(head, body model) model {
		return weft.GradAt(head, func(head model) weft.Array { return tree.Combine(head, body).loss(x) })
	}
	want := weft.Grad(func(l nn.Linear) weft.Array { c := m; c.Head = l; return c.loss(x) })(m.Head)
	for name, f := range map[string]func(head, body model) model{"eager": gradient, "jitted": weft.Jit(gradient)} {
		g := f(head, body)
		if d := wefttest.Difference(g.Head, want, wefttest.Tolerance{Abs: 1e-6}); d != "" {
			t.Errorf("%s: gradient of the head: %s", name, d)
		}
		if g.Body[1].W.DType() != weft.Float0 || g.Count.DType() != weft.Float0 {
			t.Errorf("%s: the gradient has leaves that were not selected: %v", name, g)
		}
	}
	opt := optim.NewAdamW(head, optim.AdamConfig{Rate: optim.Rate(0.05), Decay: 0.1})
	before := m.loss(x).Float()
	for range 20 {
		head = opt.Update(head, gradient(head, body))
	}
	trained := tree.Combine(head, body)
	if after := trained.loss(x).Float(); after > before/2 || !trained.Body[0].W.Equal(m.Body[0].W) {
		t.Errorf("the loss went from %v to %v; want half, by the head alone", before, after)
	}
	var file bytes.Buffer
	if err := weft.Save(&file, head); err != nil {
		t.Fatal(err)
	}
	again, _ := tree.Partition(sample(), inHead)
	if err := weft.Load(&file, &again); err != nil || !again.Head.W.Equal(head.Head.W) {
		t.Errorf("the saved part: %v, %v", again.Head.W, err)
	}
	flat, rebuild := weft.Ravel(head)
	if flat.Size() != 5 || !rebuild(flat).Head.W.Equal(head.Head.W) {
		t.Errorf("Ravel of a part: got %v, want 5 elements", flat.Shape())
	}
}

func TestCombineRefusesOtherTrees(t *testing.T) {
	m, other := sample(), sample()
	other.Name = "n"
	testcheck.Fails(t, core.ErrTree, func() { tree.Combine(m, other) }, "Combine: the trees differ in structure", ".Name")
	wide := sample()
	wide.Head.W = weft.Zeros(5, 1)
	testcheck.Fails(t, core.ErrShape, func() { tree.Combine(m, wide) }, `Combine: the leaves of tree 0 and tree 1 differ in shape at ".Head.W" (got f32[4,1] and f32[5,1])`)
	testcheck.Fails(t, core.ErrTree, func() { tree.Partition(m, nil) }, "Partition: its function is nil")
	part, _ := tree.Partition(m, inHead)
	if _, err := weft.Try(func() weft.Array { return part.Body[0].W.Sum() }); !errors.Is(err, core.ErrDType) || !strings.Contains(err.Error(), "no elements") {
		t.Errorf("a leaf that a part lacks: got %v, want an error that explains it", err)
	}
}

func ExamplePartition() {
	type model struct{ Body, Head weft.Array }
	m := model{weft.Of(1., 2), weft.Of(3., 4)}
	head, body := tree.Partition(m, func(path string, _ weft.Array) bool { return path == ".Head" })
	fmt.Println(weft.GradAt(head, func(head model) weft.Array {
		m := tree.Combine(head, body)
		return m.Body.Mul(m.Head).Sum()
	}))
	// Output: {float0[2] [1. 2.]}
}
