package testcheck

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

// NilReceivers calls every exported method of pointers on nil, and on a zero value, with zero
// arguments. Each must return or panic with an error of the library.
func NilReceivers(t *testing.T, pointers ...any) {
	t.Helper()
	for _, p := range pointers {
		typ := reflect.TypeOf(p)
		for _, v := range []reflect.Value{reflect.Zero(typ), reflect.New(typ.Elem())} {
			for i := range typ.NumMethod() {
				m := typ.Method(i)
				in := []reflect.Value{}
				for k := 1; k < m.Type.NumIn(); k++ {
					if m.Type.IsVariadic() && k == m.Type.NumIn()-1 {
						break
					}
					in = append(in, reflect.Zero(m.Type.In(k)))
				}
				kind := "nil"
				if !v.IsNil() {
					kind = "a zero value"
				}
				if bad := Foreign(func() { v.Method(i).Call(in) }); bad != nil {
					t.Errorf("%s.%s of %s: got the panic %v, want a result or an error", typ, m.Name, kind, bad)
				}
			}
		}
	}
}

// Foreign calls f. It returns nil if f returns or panics with an error of the library, else the
// panic, which no user must see.
func Foreign(f func()) (bad any) {
	err := Recover(f)
	if err == nil {
		return nil
	}
	var e *core.Error
	if errors.As(err, &e) && !strings.Contains(e.Error(), "BUG") {
		return nil
	}
	return err
}
