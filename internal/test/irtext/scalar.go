package irtext

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Scalar reads a scalar program from its text and checks it.
func Scalar(text string) (p *scalar.Prog, err error) {
	r := &reader{}
	err = r.read("scalar program", text, func() {
		r.next(";")
		p = r.program(";")
	})
	if err == nil {
		err = p.Check()
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// program reads a program whose head has been read into words.
func (r *reader) program(comment string) *scalar.Prog {
	p := &scalar.Prog{}
	if r.peek() != "func" {
		fail("%q is not the head of a program; write one such as func(f32) f32 {", strings.Join(r.words, " "))
	}
	r.expect("func", "(")
	p.In = r.dtypes(")")
	p.Out = r.dtypes("{")
	r.end()
	for r.next(comment); !r.accept("ret"); r.next(comment) {
		if r.accept("table") {
			p.Tables = append(p.Tables, r.table(len(p.Tables)))
			continue
		}
		if def := strings.Join(r.words, " "); !r.isNext("%") || r.ref() != ir.Ref(len(p.Code)) || !r.accept("=") {
			fail("%q does not define %%%d; number values in order from %%0", def, len(p.Code))
		}
		p.Code = append(p.Code, r.inst())
		r.end()
	}
	p.Results = r.refs("")
	r.next(comment)
	r.expect("}")
	r.end()
	return p
}

func (r *reader) dtypes(end string) (ds []core.DType) {
	for !r.accept(end) {
		if len(ds) > 0 {
			r.expect(",")
		}
		ds = append(ds, r.dtype())
	}
	return ds
}

// table reads table i, whose numbers may have commas between them.
func (r *reader) table(i int) (t scalar.Table) {
	if w := r.take(); w != "t"+strconv.Itoa(i) {
		fail("%q does not define table t%d; number tables from t0, and list a type and bits", w, i)
	}
	t.Type = r.typ()
	for len(r.words) > 0 {
		t.Bits = append(t.Bits, r.bits())
		r.accept(",")
	}
	return t
}

// inst reads the text of an instruction: add f32 %0, %1. It does not check types.
func (r *reader) inst() scalar.Inst {
	in := scalar.Inst{Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}}
	if len(r.words) < 2 {
		fail("%q is not an instruction; write one such as add f32 %%0, %%1", r.peek())
	}
	in.Op = named(r, scalar.OpParam, scalar.Op(scalar.NumOps), "an operation; write one such as add")
	in.Type = r.typ()
	switch in.Op {
	case scalar.OpParam:
		w := r.take()
		op, part, ok := strings.Cut(w, ".")
		if !ok {
			part = "0"
		}
		k, err1 := strconv.ParseUint(op, 10, 16)
		c, err2 := strconv.ParseUint(part, 10, 8)
		if err1 != nil || err2 != nil {
			fail("%q is not an operand; write one such as 0 or 0.1", w)
		}
		in.Imm = k<<8 | c
	case scalar.OpLookup:
		in.Imm = uint64(r.number("t", "a table"))
	case scalar.OpConst:
		in.Imm = r.bits()
	case scalar.OpWiden, scalar.OpNarrow:
		in.DType = r.dtype()
	}
	args := r.refs("")
	if len(args) != in.Op.Args() {
		fail("%v takes %d operands, not %d; write as many", in.Op, in.Op.Args(), len(args))
	}
	copy(in.Args[:], args)
	return in
}
