package reference

import (
	"encoding/json"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
)

// goldenArrays is one array or a list of them.
type goldenArrays []goldenArray

func (g *goldenArrays) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]goldenArray)(g))
	}
	*g = make(goldenArrays, 1)
	return json.Unmarshal(b, &(*g)[0])
}

// loopParams are the parameters by lax's names.
type loopParams map[string]any

func (p loopParams) has(k string) bool { return p[k] != nil }

func (p loopParams) int(k string) int { return int(p[k].(float64)) }

// chain returns how many products a dot or a convolution adds; 0 for other operations.
func (r *loopRecord) chain() int {
	k := 1
	switch r.Op {
	case "dot_general":
		for _, axis := range flatInts(r.Params["dimension_numbers"].([]any)[0].([]any)[0]) {
			k *= r.In[0].Shape[axis]
		}
		return k
	case "conv_general_dilated":
		spec := r.Params["dimension_numbers"].([]any)[1].(string)
		for axis, n := range r.In[1].Shape {
			if spec[axis] != 'O' {
				k *= n
			}
		}
		return k
	}
	return 0
}

func (p loopParams) bool(k string) bool { b, _ := p[k].(bool); return b }

// dims returns a list of integers, or a list of lists one after the other.
func (p loopParams) dims(k string) core.Dims { return core.MakeDims(flatInts(p[k])...) }

func flatInts(v any) []int {
	var out []int
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			out = append(out, flatInts(x)...)
		}
	case float64:
		out = append(out, int(v))
	}
	return out
}

// padding returns the padding, worked out where it is a word: sizes contains the elements
// of an axis, and of the window over it.
func (p loopParams) padding(strides core.Dims, sizes func(i int) (n, window int)) core.Dims {
	word, ok := p["padding"].(string)
	if !ok {
		return p.dims("padding")
	}
	var pads []int
	for i, by := range strides.All() {
		n, window := sizes(i)
		all := 0
		if word != "VALID" {
			all = max(((n+by-1)/by-1)*by+window-n, 0)
		}
		lo := all / 2
		if word == "SAME_LOWER" {
			lo = all - lo
		}
		pads = append(pads, lo, all-lo)
	}
	return core.MakeDims(pads...)
}

func (p loopParams) mode() indexed.IndexMode {
	switch p["mode"] {
	case "clip":
		return indexed.Clip
	case "fill", "drop":
		return indexed.FillOrDrop
	}
	return indexed.PromiseInBounds
}
