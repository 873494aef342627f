package stablehlo

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/matrices"
)

// StepTarget is the target of calls of the host. Their configuration contains the equation's number under the name
// [StepNumber].
const (
	StepTarget = "weft_step"
	StepNumber = "step"
)

// onHost reports whether an operation runs on the host, not in code of the module's compiler: one
// that calls a Go function or has an effect, and a factorization of matrices with elements, which would need LAPACK.
func onHost(p core.Primitive, in []core.ShapedArray) bool {
	switch p.(type) {
	case interface{ Host() *hostcall.HostFunc }:
		return true
	case matrices.LUPivotsToPermutationP:
		return false
	}
	if core.EffectsOf(p) != 0 {
		return true
	}
	for _, a := range in {
		if a.Size() == 0 {
			return false
		}
	}
	return factorization(p, in) != nil
}

// step writes a call of the host for the current equation, on arrays in row-major order.
func (b *block) step(in []operand, out []core.ShapedArray) []operand {
	layout := func(a core.ShapedArray) string {
		r := a.Rank()
		axes := make([]string, r)
		for i := range axes {
			axes[i] = fmt.Sprint(r - 1 - i)
		}
		if r == 0 {
			return "dense<> : tensor<0xindex>"
		}
		return fmt.Sprintf("dense<[%s]> : tensor<%dxindex>", strings.Join(axes, ", "), r)
	}
	ins, outs := make([]string, len(in)), make([]string, len(out))
	for i, x := range in {
		ins[i] = layout(wordsOf(x.aval))
	}
	for i, a := range out {
		outs[i] = layout(wordsOf(a))
	}
	effect := true
	if b.opt.Division != nil && b.mesh == nil { // each device runs it
		if effect = core.EffectsOf(b.eqn.Prim) != 0; effect || len(out) == 0 {
			core.Failf(core.ErrNoRule, "has an effect, so a program that is divided among devices cannot contain it; do it within ShardMap, or with an array from mesh.Gather")
		}
	}
	attrs := fmt.Sprintf("api_version = 4 : i32, backend_config = {%s = %d : i64}, call_target_name = %s, has_side_effect = %t, operand_layouts = [%s], result_layouts = [%s]",
		StepNumber, b.opt.Step(b.eqn), quote(StepTarget), effect, strings.Join(ins, ", "), strings.Join(outs, ", "))
	return b.generic("stablehlo.custom_call", attrs, out, nil, in...)
}
