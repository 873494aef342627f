package ptxeval

import (
	"regexp"
	"slices"
)

var (
	declareLine   = regexp.MustCompile(`^\.extern \.func cudaGraphSetConditional\(\.param \.b64 \w+, \.param \.b32 \w+\);$`)
	argumentLine  = regexp.MustCompile(`^\.param \.b(32|64) (\w+);$`)
	conditionName = "cudaGraphSetConditional"
)

// decodeArgument finds the argument of a call that an instruction writes.
func (e *entry) decodeArgument(in *inst, want func(...string) error) error {
	in.kind = single
	i := slices.Index(e.arguments, in.args[0].name)
	if i < 0 || len(in.op) != 3 {
		return bugf("there is no argument %s", in.args[0].name)
	}
	in.perform = func(v *machine, t *thread, in *inst) error {
		if t.arguments == nil {
			t.arguments = make([]uint64, len(e.arguments))
		}
		t.arguments[i] = v.value(t, &in.args[1])
		return nil
	}
	return want("m", "v")
}

// decodeCall decodes the call of the one function that programs call.
func (e *entry) decodeCall(in *inst) error {
	in.kind = single
	if len(in.args) != 3 || in.args[0].name != conditionName || slices.Index(e.arguments, in.args[1].name) != 0 || slices.Index(e.arguments, in.args[2].name) != 1 {
		return bugf("only %s can be called", conditionName)
	}
	in.args = nil
	in.perform = func(v *machine, t *thread, _ *inst) error {
		if v.m.SetCondition == nil || len(t.arguments) != 2 {
			return bugf("%s outside of a graph, or without arguments", conditionName)
		}
		return v.m.SetCondition(t.arguments[0], uint32(t.arguments[1]))
	}
	return nil
}
