package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

// J-1, J-2, J-3, J-7: the mechanism with its bug, and the cure.
func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}
