package leaves

import (
	"strings"
	"testing"
)

// A literal within a literal has only a number of its own.
func TestNameOfNestedLiteral(t *testing.T) {
	var name string
	func() {
		name = FuncName(func(x int) int { return x })
	}()
	if len(name) < len("func1") || name[:4] != "func" {
		t.Errorf("FuncName of a literal: got %q, want func and its number", name)
	}
	if got := FuncName(strings.ToUpper); got != "ToUpper" {
		t.Errorf("FuncName: got %q, want ToUpper", got)
	}
}
