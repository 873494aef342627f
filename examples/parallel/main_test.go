package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b, "", 240); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// Training that stops and goes on from its checkpoint ends with the same lines.
func TestGoesOn(t *testing.T) {
	var whole, first, second strings.Builder
	if err := run(&whole, "", 120); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := run(&first, dir, 100); err != nil {
		t.Fatal(err)
	}
	if err := run(&second, dir, 120); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(whole.String(), "\n")
	if got, want := second.String(), "goes on from step 80\n"+strings.Join(lines[2:], ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
