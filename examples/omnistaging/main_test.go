package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/wefttest"
)

// Both programs, with their counts, and what looking adds.
func TestOutput(t *testing.T) {
	statement.Shows(t, "O-3", "a size that arrays compute can be looked at; what depends on an argument cannot")
	statement.Shows(t, "O-4", "the toy f(x) = (1+1)x, before and after")
	statement.Shows(t, "O-5", "select_tril returns the same array, before and after")
	statement.Shows(t, "O-6", "tracing runs no primitive and keeps no array constant")
	statement.Shows(t, "O-8", "a traced function that replaces a global random key, and values that leave their trace")
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
