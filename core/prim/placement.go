package prim

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Operations of JAX's programs that place values on devices, or choose code for a platform. Here
// all values are where the program runs, on the platform that JAX calls cpu.

// shown are parameters that mean nothing here, as the text that they were read from: "key=value"
// lines.
type shown string

func readShown(r *jaxpr.ParamReader) shown {
	var b strings.Builder
	for _, p := range r.Rest() {
		b.WriteString(fmt.Sprintf("%s=%v\n", p.Key, p.Value))
	}
	return shown(b.String())
}

func (s shown) Params() []core.Param {
	var out []core.Param
	for line := range strings.Lines(string(s)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		out = append(out, rule.Param(key, value))
	}
	return out
}

// DevicePutP returns its operands: JAX moves them to devices.
type DevicePutP struct{ shown }

func (DevicePutP) Name() string { return "device_put" }

func (DevicePutP) read(r *jaxpr.ParamReader) core.Primitive { return DevicePutP{readShown(r)} }

func (DevicePutP) Abstract(in []ShapedArray) []ShapedArray { return append([]ShapedArray(nil), in...) }

func (p DevicePutP) JVP(_, _, t []Value) []Value { return append([]Value(nil), t...) }

func (p DevicePutP) Batch(_ int, in []Value, mapped []bool) ([]Value, []bool) {
	return core.Bind(p, in...), mapped
}

func (DevicePutP) Expand(in []Value) []Value {
	out := make([]Value, len(in))
	for i, v := range in {
		out[i] = Copy(v)
	}
	return out
}

// ReshardP returns its operand: JAX distributes it over devices. Programs call it reshard or
// sharding_constraint.
//
//prim:word reshard ReshardP{Word: "reshard"}
//prim:word sharding_constraint ReshardP{Word: "sharding_constraint"}
type ReshardP struct {
	Word string
	shown
}

func (p ReshardP) Name() string { return p.Word }

func (p ReshardP) read(r *jaxpr.ParamReader) core.Primitive { return ReshardP{p.Word, readShown(r)} }

func (ReshardP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	return []ShapedArray{in[0]}
}

func (p ReshardP) JVP(_, _, t []Value) []Value { return t[:1] }

func (p ReshardP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return rule.Bound(p, in[0]) }

func (ReshardP) Expand(in []Value) []Value { return rule.One(Copy(in[0])) }

// PlatformIndexP returns the position of the first list of platforms that has cpu, or that is
// None: the branch that a program takes where it depends on the platform.
type PlatformIndexP struct {
	constant
	Platforms string
}

func (PlatformIndexP) Name() string { return "platform_index" }

func (PlatformIndexP) read(r *jaxpr.ParamReader) core.Primitive {
	p := PlatformIndexP{Platforms: r.Text("platforms")}
	if p.index() < 0 {
		r.Unsupported("its parameter platforms, %s, has neither 'cpu' nor None", p.Platforms)
	}
	return p
}

func (p PlatformIndexP) Params() []core.Param {
	return []core.Param{rule.Param("platforms", p.Platforms)}
}

// index returns the position of the first item that names the CPU or is None, −1 if there is none.
func (p PlatformIndexP) index() int {
	text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(p.Platforms), "("), ")")
	n, depth, start := 0, 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && text[i] == '(':
			depth++
		case i < len(text) && text[i] == ')':
			depth--
		case i == len(text) || text[i] == ',' && depth == 0:
			item := strings.TrimSpace(text[start:i])
			if item == "None" || strings.Contains(item, "'cpu'") {
				return n
			}
			n, start = n+1, i+1
		}
	}
	return -1
}

func (p PlatformIndexP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	return []ShapedArray{core.Aval(core.Int32)}
}

func (p PlatformIndexP) Expand([]Value) []Value {
	return rule.One(BroadcastInDim(core.Lit(core.IntNumber(int64(p.index())), core.Int32), core.Dims{}, core.Dims{}))
}
