package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/wefttest"
)

// The programs run, and print as in the document.
func TestOutput(t *testing.T) {
	statement.Shows(t, "A-4", "the six examples, with what they print")
	statement.Shows(t, "A-5", "z = x + 1L is ambiguous, so z * y has the type of y")
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
