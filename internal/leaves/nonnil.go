package leaves

import (
	"reflect"

	"github.com/weft-go/weft/core"
)

// RequireNonNil fails if one of fs is nil, before anything calls it.
func RequireNonNil(op string, fs ...any) {
	for i, f := range fs {
		if v := reflect.ValueOf(f); !v.IsValid() || v.Kind() == reflect.Func && v.IsNil() {
			which := "its function"
			if len(fs) > 1 {
				which = [...]string{"its first function", "its second function", "its third function"}[min(i, 2)]
			}
			core.FailOp(core.ErrTree, op, nil, "%s is nil; pass one", which)
		}
	}
}
