package jaxpr_test

import (
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/weft-go/weft/jaxpr"
)

// Long programs need no deep stack and no more than their text takes.
func TestLongProgram(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(256 << 10))
	const n = 50_000
	j := chain(n)
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	text := j.String()
	if lines := strings.Count(text, "\n"); lines != n+1 {
		t.Errorf("%d lines for %d equations", lines, n)
	}
	k := parse(t, text)
	if d := jaxpr.Diff(j, k); d != "" {
		t.Error(d)
	}
	// The same on one line.
	if k = parse(t, j.Text(jaxpr.Options{Width: math.MaxInt32})); len(k.Eqns) != n {
		t.Errorf("%d equations", len(k.Eqns))
	}
	if k = jaxpr.DCE(j); len(k.Eqns) != n {
		t.Errorf("%d equations", len(k.Eqns))
	}
	if s := jaxpr.Stats(j); s.Equations != n || s.Primitive["add"] != n {
		t.Errorf("%v", s)
	}
}

// Programs up to 1,024 deep print, read and check; one that is deeper is an error.
func TestDeepProgram(t *testing.T) {
	nest := func(depth int) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		j := b.Build(b.Eqn(sinP, b.Input(f32))[0])
		for range depth - 1 {
			b := jaxpr.NewBuilder()
			j = b.Build(b.Eqn(&jaxpr.Jit{Fn: "f", Jaxpr: j}, b.Input(f32))[0])
		}
		return j
	}
	j := nest(1024)
	k := parse(t, j.String())
	if !jaxpr.Equal(j, k) {
		t.Error("read otherwise")
	}
	if s := jaxpr.Stats(k); s.Depth != 1024 {
		t.Errorf("%d deep", s.Depth)
	}
	if _, err := jaxpr.Parse(nest(1025).String(), toyVo); err == nil {
		t.Error("deeper than the limit is read")
	}
}

// Programs shared many times over are walked once: 2^60 visits would not end.
func TestSharedProgram(t *testing.T) {
	b := jaxpr.NewBuilder()
	j := b.Build(b.Eqn(sinP, b.Input(f32))[0])
	for range 60 {
		b := jaxpr.NewBuilder()
		call := &jaxpr.Jit{Fn: "f", Jaxpr: j}
		j = b.Build(b.Eqn(call, b.Eqn(call, b.Input(f32))[0])[0])
	}
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	k := parse(t, j.String())
	if d := jaxpr.Diff(j, k); d != "" {
		t.Error(d)
	}
	if k.String() != j.String() {
		t.Error("the text differs")
	}
	if s := jaxpr.Stats(k); s.Programs != 61 {
		t.Errorf("%d programs", s.Programs)
	}
	if len(k.DOT()) > 100_000 || len(k.HTML("shared")) > 100_000 {
		t.Error("views grow")
	}
}

const benchEqns = 100_000

func perEqn(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchEqns, "ns/eqn")
}

func BenchmarkPrint(b *testing.B) {
	j := chain(benchEqns)
	b.ReportAllocs()
	for b.Loop() {
		j.Write(io.Discard, jaxpr.Options{})
	}
	perEqn(b)
}

func BenchmarkParse(b *testing.B) {
	text := chain(benchEqns).String()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jaxpr.Parse(text, toyVo); err != nil {
			b.Fatal(err)
		}
	}
	perEqn(b)
}

func BenchmarkCheck(b *testing.B) {
	j := chain(benchEqns)
	b.ReportAllocs()
	for b.Loop() {
		if err := jaxpr.Check(j); err != nil {
			b.Fatal(err)
		}
	}
	perEqn(b)
}

// Programs that are written in front of the text have names of their own, whatever their functions are called.
func TestSharedNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("{ lambda ; v0:f32[]. let\n")
	for i, name := range []string{"f1", "f", "f", "f2", "f"} {
		fmt.Fprintf(&b, "    v%d:f32[] = jit[name=%s jaxpr={ lambda ; x0:f32[]. let\n", i+1, name)
		for k := range 11 {
			fmt.Fprintf(&b, "        x%d:f32[] = sin x%d\n", k+1, k)
		}
		fmt.Fprintf(&b, "      in (x11,) }] v%d\n", i)
	}
	j := parse(t, b.String()+"  in (v5,) }")
	if n := strings.Count(j.String(), "let f"); n != 5 {
		t.Errorf("%d programs stand in front, want 5:\n%v", n, j)
	}
	if d := jaxpr.Diff(j, parse(t, j.String())); d != "" {
		t.Error(d)
	}
}
