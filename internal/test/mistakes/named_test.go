package mistakes_test

import (
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Errors of ranges and settings name the function that refuses its argument.
func TestErrorsNameRangesAndSettings(t *testing.T) {
	for op, call := range map[string]func(){
		"Range.By":      func() { weft.R(0, 3).By(0) },
		"DefaultBits":   func() { weft.DefaultBits(16) },
		"Promotion":     func() { weft.Promotion(nil) },
		"RankPromotion": func() { weft.RankPromotion(7) },
	} {
		var e *core.Error
		if err := core.Catch(call); !errors.As(err, &e) || e.Op != op {
			t.Errorf("%s: got %v, want an error that names it", op, err)
		}
	}
}
