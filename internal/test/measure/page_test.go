package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/weft-go/weft/internal/test/accuracy"
)

// The page shows the figures that are kept, and those are of the present programs.
func TestPage(t *testing.T) {
	want, err := pageOf("../../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../docs/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/accuracy.md does not show the figures: go run ./internal/test/measure")
	}
}

// No figure is above what is promised.
func TestFigures(t *testing.T) {
	m, err := read("figures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range accuracy.Figures() {
		if r := accuracy.RecordOf(m, g); r.Max > g.Promise() || r.Wrong > 0 || r.N == 0 {
			t.Errorf("%v, promised are %v", r, g.Promise())
		}
	}
}
