package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

// the programs run, and print as in the document.
func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
