package rule

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// KeyKinds are the types of keys by kind; "" stands for "fry", the default.
var KeyKinds = map[string]core.DType{
	"": core.Key, "rbg": core.KeyRBG, "urbg": core.KeyURBG, "phx2": core.KeyPhilox2x32, "phx4": core.KeyPhilox4x32,
}

// ReadKeyKind reads the parameter impl, a kind as in KeyKinds; "" if the parameter is absent.
func ReadKeyKind(r *jaxpr.ParamReader) string {
	r.MustBe("impl", "fry", "rbg", "urbg", "phx2", "phx4")
	if !r.Has("impl") {
		return ""
	}
	return strings.TrimPrefix(r.Text("impl"), "fry")
}

// KindOf returns the kind of keys of a type: "" for the default kind, and for a type that is no key.
func KindOf(dt core.DType) string {
	for kind, t := range KeyKinds {
		if t == dt {
			return kind
		}
	}
	return ""
}

// KindParam returns the parameter that names the kind of key.
func KindParam(kind string) core.Param {
	if kind == "" {
		kind = "fry"
	}
	return Param("impl", kind)
}

// WantKeys demands an array of keys.
func WantKeys(a core.ShapedArray) {
	if !a.DType.IsKey() {
		core.Failf(core.ErrDType, "takes keys of type %v, got %v; make one with Key or wrap its words", core.Key, a.Full())
	}
}
