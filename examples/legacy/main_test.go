package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/wefttest"
)

// The mechanism with its bug, and the cure.
func TestOutput(t *testing.T) {
	statement.Shows(t, "J-1", "the older mechanism, its wrong rule visible")
	statement.Shows(t, "J-2", "forward mode through a reverse rule is refused, under Vmap and Jit too")
	statement.Shows(t, "J-3", "the rule survives Vmap, as a call in the program")
	statement.Shows(t, "J-7", "a function with a rule may branch on its argument under Grad")
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
