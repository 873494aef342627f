package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/wefttest"
)

// A transformation that rewrites acts on the definition, and no rule is left.
func TestOutput(t *testing.T) {
	statement.Shows(t, "J-5", "transformations that call the function keep its rule; those that rewrite its body do not")
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
