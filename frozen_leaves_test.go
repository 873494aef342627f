package weft_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

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

// TestKeysInJSON checks that a tree with keys of random numbers is read again from JSON.
func TestKeysInJSON(t *testing.T) {
	type state struct{ One, Many random.Key }
	want := state{random.New(1 << 40), random.New(3).SplitN(3)}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if part := `{"dtype":"key\u003cfry\u003e","shape":[],"data":[256,0]}`; !bytes.Contains(b, []byte(part)) {
		t.Errorf("got %s, want the words of the key in it, %s", b, part)
	}
	var got state
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if !got.One.Data.Equal(want.One.Data) || !got.Many.Data.Equal(want.Many.Data) || !random.Normal(got.One, 3).Equal(random.Normal(want.One, 3)) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, text := range []string{`{"dtype":"key<fry>","shape":[],"data":[1]}`, `{"dtype":"key<fry>","shape":[1],"data":[1,-1]}`, `{"dtype":"key<rbg>","shape":[],"data":[1,2,3,4]}`, `{"dtype":"key<fry>","shape":[-1],"data":[1,2]}`} {
		var x weft.Array
		if err := json.Unmarshal([]byte(text), &x); err == nil {
			t.Errorf("%s is read as %v", text, x)
		}
	}
}

// TestPositionsBehindStandardPackages checks that a mistake met while encoding/json calls a method
// is reported at the user's line.
func TestPositionsBehindStandardPackages(t *testing.T) {
	var x weft.Array
	err := json.Unmarshal([]byte(`{"dtype":"f32","shape":[2],"data":[1]}`), &x)
	if err == nil || !strings.HasPrefix(err.Error(), "frozen_leaves_test.go:") {
		t.Errorf("got %v, want the line here", err)
	}
}

// brokenError has an Error method that fails for a nil pointer.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

// TestCallbackTypedNilError checks that an error that is a nil pointer, which is not nil, does not
// make the message fail.
func TestCallbackTypedNilError(t *testing.T) {
	x := weft.Of(1.)
	_, err := weft.Try(func() weft.Array {
		return weft.PureCallback(func(x weft.Array) (weft.Array, error) { var e *brokenError; return x, e }, x, x)
	})
	var broken *brokenError
	if err == nil || !strings.Contains(fmt.Sprint(err), "returned an error: <nil>") || !errors.As(err, &broken) {
		t.Errorf("got %v, want an error that shows <nil>", err)
	}
	if text := err.Error(); !strings.Contains(text, "<nil>") {
		t.Errorf("got %q", text)
	}
}
