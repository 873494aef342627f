package scalar

import (
	"fmt"

	"github.com/weft-go/weft/core"
)

// Check reports the first thing that is wrong with the program.
func (p *Prog) Check() error {
	for i, t := range p.Tables {
		if err := t.Check(); err != nil {
			return &core.Error{Kind: core.ErrCheck, Op: "scalar program", Msg: fmt.Sprintf("t%d: %v", i, err)}
		}
	}
	for i, in := range p.Code {
		if err := p.checkInst(i, in); err != nil {
			return &core.Error{Kind: core.ErrCheck, Op: "scalar program",
				Msg: fmt.Sprintf("%%%d = %v: %v", i, p.InstText(in), err)}
		}
	}
	fail := func(format string, args ...any) error {
		return &core.Error{Kind: core.ErrCheck, Op: "scalar program", Msg: fmt.Sprintf(format, args...)}
	}
	k := 0
	for i, dt := range p.Out {
		for c := range Components(dt) {
			if k >= len(p.Results) {
				return fail("result %d of type %v has no component %d; return one more value", i, dt, c)
			}
			r := p.Results[k]
			if r < 0 || int(r) >= len(p.Code) {
				return fail("result %d is %%%d, which is not defined; return a value of the program", i, r)
			}
			if t := p.Code[r].Type; t != Stored(dt) {
				return fail("result %d of type %v is a %v; a %v is stored", i, dt, t, Stored(dt))
			}
			k++
		}
	}
	if k != len(p.Results) {
		return fail("%d results for %d components; return one value for each", len(p.Results), k)
	}
	return nil
}

// checkInst checks instruction i: its operands are defined before it and have the types
// that it takes, and the parameter or the table that it reads exists.
func (p *Prog) checkInst(i int, in Inst) error {
	var t [3]Type
	for k, a := range in.Args {
		if a == NoRef {
			continue
		}
		if a < 0 || int(a) >= i {
			return fmt.Errorf("operand %%%d is not defined before; use a value of an instruction before", a)
		}
		t[k] = p.Code[a].Type
	}
	if err := in.CheckTypes(t); err != nil {
		return err
	}
	switch in.Op {
	case OpParam:
		return p.checkParam(in)
	case OpLookup:
		if in.Imm >= uint64(len(p.Tables)) {
			return fmt.Errorf("there is no table t%d (got %d tables); add it to the program", in.Imm, len(p.Tables))
		}
		if t := p.Tables[in.Imm].Type; t != in.Type {
			return fmt.Errorf("t%d contains %v; look up that type", in.Imm, t)
		}
	}
	return nil
}

// checkParam checks that the component of an operand exists and has the type of in.
func (p *Prog) checkParam(in Inst) error {
	k, c := int(in.Imm>>8), int(in.Imm&0xff)
	if k >= len(p.In) {
		return fmt.Errorf("there are %d operands; use one of them", len(p.In))
	}
	if dt := p.In[k]; c >= Components(dt) || in.Type != Stored(dt) {
		return fmt.Errorf("operand %d is %v, which has %d components of type %v", k, dt, Components(dt), Stored(dt))
	}
	return nil
}

// CheckTypes reports what is wrong with an instruction whose operands have the types t.
// Where an operand is NoRef its type is not read.
func (in Inst) CheckTypes(t [3]Type) error {
	if in.Op == OpNone || int(in.Op) >= NumOps {
		return fmt.Errorf("no such operation; use one of this package")
	}
	if in.Type == NoType || int(in.Type) >= NumTypes {
		return fmt.Errorf("no such type; use one of this package")
	}
	row := opTable[in.Op]
	for k, a := range in.Args {
		if (k < row.args) != (a != NoRef) {
			return fmt.Errorf("%v takes %d operands; leave the others NoRef", in.Op, row.args)
		}
	}
	if in.Op != OpWiden && in.Op != OpNarrow && in.DType != core.Invalid {
		return fmt.Errorf("%v has no dtype; leave DType zero", in.Op)
	}
	if in.Op != OpConst && in.Op != OpParam && in.Op != OpLookup && in.Imm != 0 {
		return fmt.Errorf("%v has no bits; leave Imm zero", in.Op)
	}
	subject := in.Type // the type that must belong to the class of the operation
	switch row.form {
	case FormSame:
		for k := range row.args {
			if t[k] != in.Type {
				return fmt.Errorf("operand %d is a %v; convert it", k, t[k])
			}
		}
	case FormCompare:
		if in.Type != Bool || t[0] != t[1] {
			return fmt.Errorf("compares a %v with a %v to a %v; convert the operands to one type, with a bool as result", t[0], t[1], in.Type)
		}
		subject = t[0]
	case FormSelect:
		if t[0] != Bool || t[1] != in.Type || t[2] != in.Type {
			return fmt.Errorf("operands are %v, %v, %v; make them a bool and two of the type", t[0], t[1], t[2])
		}
	}
	if !row.class.has(subject) {
		return fmt.Errorf("%v is not for %v; convert the operands", in.Op, subject)
	}
	switch in.Op {
	case OpConst:
		if n := in.Type.Bits(); n < 64 && in.Imm>>n != 0 {
			return fmt.Errorf("the bits %#x do not fit; use those of the type", in.Imm)
		}
		if in.Type == Bool && in.Imm > 1 {
			return fmt.Errorf("a bool is 0 or 1; use one of these")
		}
	case OpConvert:
		if t[0] == in.Type {
			return fmt.Errorf("converts to its own type; use the operand")
		}
	case OpBitcast:
		if t[0].Size() != in.Type.Size() || t[0] == Bool || t[0] == in.Type {
			return fmt.Errorf("the operand is a %v; convert it", t[0])
		}
	case OpLookup:
		if !t[0].IsInt() || t[0].Size() != in.Type.Size() {
			return fmt.Errorf("index is a %v (want an integer of the size of %v); convert it", t[0], in.Type)
		}
	case OpWiden:
		if in.Type != F32 || !IsSmallFloat(in.DType) || t[0] != Stored(in.DType) {
			return fmt.Errorf("the operand is a %v; convert it", t[0])
		}
	case OpNarrow:
		if t[0] != F32 || !IsSmallFloat(in.DType) || in.Type != Stored(in.DType) {
			return fmt.Errorf("the operand is a %v; convert it", t[0])
		}
	}
	return nil
}
