package core_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/weft-go/weft/core"
)

func TestArticles(t *testing.T) {
	for _, c := range []struct {
		what any
		want string
	}{
		{reflect.TypeFor[int](), "an int"}, {reflect.TypeFor[uint8](), "a uint8"}, {reflect.TypeFor[error](), "an error"},
		{reflect.TypeFor[float64](), "a float64"}, {reflect.TypeFor[[]int](), "a []int"}, {reflect.TypeFor[*int](), "a *int"},
		{reflect.TypeFor[map[string]int](), "a map[string]int"}, {reflect.TypeFor[interface{ F() }](), "an interface { F() }"},
		{core.Aval(core.Float32, 3).Full(), "an f32[3]"}, {core.Aval(core.Int32).Full(), "an i32[]"}, {core.Aval(core.Uint8).Full(), "a u8[]"},
		{core.Aval(core.BFloat16).Full(), "a bf16[]"}, {core.Aval(core.Bool).Full(), "a bool[]"}, {"~i32[]", "an ~i32[]"}, {"~f32[]", "an ~f32[]"},
		{"~c64[]", "a ~c64[]"}, {"", "a "}, {nil, "nil"}, {fmt.Sprintf("%T", nil), "nil"},
	} {
		if got := core.WithArticle(c.what); got != c.want {
			t.Errorf("%v: %q, want %q", c.what, got, c.want)
		}
	}
}
