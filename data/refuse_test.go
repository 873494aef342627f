package data_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/data"
)

// Operands that make no sense are refused when the function is called.
func TestRefusalsOfEmptyOperands(t *testing.T) {
	for name, f := range map[string]func(){
		"a negative number":    func() { data.Order(-1, 1) },
		"a source that is nil": func() { data.Prefetch[int](context.Background(), nil, 2) },
	} {
		_, err := weft.Try(func() int { f(); return 0 })
		if !errors.Is(err, core.ErrShape) && !errors.Is(err, core.ErrStatic) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
