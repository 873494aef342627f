package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

// O-3, O-4, O-5, O-6, O-8: both programs, with their counts, and what looking adds.
func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
