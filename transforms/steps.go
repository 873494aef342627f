package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// stepReads records which variables of the body of a scan the reverse rules of its linear
// scan close over. They have a value in each step: a stand-in is an input of the
// transposed body, and the values are stacked by running the scan again.
type stepReads struct {
	primal *jaxpr.Scan     // nil if no rule can close over a step
	args   []Value         // its operands
	rec    *trace.Recorder // of the transposed body
	vars   []*jaxpr.Var
	inputs []Value
}

// within runs f where the variables of a step can be read.
func (s *stepReads) within(f func()) {
	if s.primal == nil || s.primal.Effects() != 0 { // effects would happen twice
		f()
		return
	}
	jaxpr.Within([]*jaxpr.Frame{jaxpr.NewStepFrame(s.primal.Jaxpr, s.read)}, f)
}

func (s *stepReads) read(v *jaxpr.Var) (Value, bool) {
	if k := slices.Index(s.primal.Jaxpr.Ins[:s.primal.NumConsts], v); k >= 0 {
		return s.args[k], true // the same in each step
	}
	if k := slices.Index(s.vars, v); k >= 0 {
		return s.inputs[k], true
	}
	if s.rec == nil || !s.rec.Live() {
		return nil, false
	}
	x := s.rec.Input(v.Type)
	s.vars, s.inputs = append(s.vars, v), append(s.inputs, x)
	return x, true
}

// values returns the values of the variables that were read, stacked.
func (s *stepReads) values() []Value {
	if len(s.vars) == 0 {
		return nil
	}
	again := *s.primal
	body := again.Jaxpr
	again.Jaxpr = jaxpr.DCE(rearranged(body, body.Ins, concat(body.Outs[:again.NumCarry], atoms(s.vars))))
	return core.Bind(&again, s.args...)[again.NumCarry:]
}
