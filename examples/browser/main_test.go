package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	run(&b)
	wefttest.Golden(t, "output.txt", b.String())
}
