package weft

import "testing"

// A literal within a literal has only a number of its own.
func TestNameOfNestedLiteral(t *testing.T) {
	var name string
	func() {
		name = funcName(func(x Array) Array { return x })
	}()
	if len(name) < len("func1") || name[:4] != "func" {
		t.Errorf("the literal is called %q, want func and its number", name)
	}
	if got := funcName(Sin); got != "Sin" {
		t.Errorf("Sin is called %q", got)
	}
}
