package native_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// toy is an instruction set of a machine that only this test has: vectors of 16 bytes, masks, and an
// instruction for every operation of scalar programs in every type. It is interpreted.
type toy struct{}

func (toy) String() string { return "toy" }

func (toy) Model() *native.Model { return &toyModel }

func (toy) Target(g *native.Gen) native.Target { return &toyTarget{Gen: g} }

var toyModel = native.Model{
	VectorBytes:     16,
	Masks:           true,
	Registers:       [native.NumClasses]uint32{native.ClassV: 0xfff, native.ClassG: 0xffc0, native.ClassK: 0xff},
	FunctionVectors: 0xfff,
	Args:            0, Scratch: 1, Link: 5,
	GeneralTemps: [3]native.Reg{2, 3, 4}, MaskTemps: [2]native.Reg{7, 6},
	Room: 8, FunctionCopies: 1, SumCopies: 1,
}

// toyOp is what an instruction of the machine does to each lane.
type toyOp struct {
	form toyForm
	in   scalar.Inst
	from scalar.Type // of the first operand
	tab  string      // of lookups: the key of the table
	n    int         // of runs: elements of a register
}

type toyForm uint8

const (
	toyLanes    toyForm = iota // d = in(a, b, c) in each lane
	toyResize                  // lanes of d from imm on = in(a); or of a from imm on, where d's are wider; others are c's
	toyCompare                 // bits of the mask d from imm on = in(a, b); others are c's
	toySelect                  // d = bit k[imm+i] ? a : b
	toyFromBit                 // d = in(bit k[imm+i])
	toyLogic                   // the mask d = in(a, b)
	toyMask                    // the mask d = imm
	toyTest                    // compares the imm lowest bits of the mask a with 0
	toySpread                  // d = lane 0 of a
	toySpreadK                 // all bits of d = bit 0 of a
	toyFromG                   // d = the general register a
	toyGToK                    // all bits of d = bit 0 of the general register a
	toyToG                     // the general register d = lane 0 of a, with its sign
	toyShift                   // lanes from imm on
	toyShiftK                  // bits from imm on
	toyFirst                   // the mask of a lanes without imm, of at most disp
	toyLoadK                   // the mask d = the byte in memory
	toyStoreK                  // the byte in memory = bit 0 of a
	toyLoadAll                 // d = the element in memory
	toyLoadRun                 // d = the elements in memory where bits k[imm+i] are set, else 0
	toyStoreRun                // the elements in memory = a where bits k[imm+i] are set
)

var toyOps struct {
	sync.Mutex
	list   []toyOp
	index  map[toyOp]native.Op
	tables map[string]ir.Table
}

// toyCode returns the number of an instruction.
func toyCode(o toyOp) native.Op {
	toyOps.Lock()
	defer toyOps.Unlock()
	n, ok := toyOps.index[o]
	if !ok {
		n = native.NumOps + native.Op(len(toyOps.list))
		toyOps.list = append(toyOps.list, o)
		if toyOps.index == nil {
			toyOps.index, toyOps.tables = map[toyOp]native.Op{}, map[string]ir.Table{}
		}
		toyOps.index[o] = n
	}
	return n
}

type toyTarget struct{ *native.Gen }

// lanes applies an operation to each lane.
func (g *toyTarget) lanes(in scalar.Inst, x, y, z native.Value, key string) native.Value {
	op := toyCode(toyOp{form: toyLanes, in: in, from: x.T, tab: key})
	_, length := g.Layout(in.Type.Size())
	v := g.NewValue(in.Type)
	for i, a := range x.R {
		n := native.Inst{Op: op, Len: length, D: g.NewV(length), A: a, Third: true}
		if len(y.R) > 0 {
			n.B = y.R[i]
		}
		if len(z.R) > 0 {
			n.C = z.R[i]
		}
		g.Put(n)
		v.R = append(v.R, n.D)
	}
	return v
}

// resize applies an operation whose result has other lanes in a register.
func (g *toyTarget) resize(in scalar.Inst, x native.Value) native.Value {
	if in.Type.Size() == x.T.Size() {
		return g.lanes(in, x, native.Value{}, native.Value{}, "")
	}
	op := toyCode(toyOp{form: toyResize, in: in, from: x.T})
	from, to := g.PerPart(x.T.Size()), g.PerPart(in.Type.Size())
	parts, length := g.Layout(in.Type.Size())
	old, _ := g.Layout(x.T.Size())
	v := g.NewValue(in.Type)
	for i := range parts * g.Lanes.U {
		var d native.VReg
		for at := 0; at < to; at += min(from, to) {
			first := i%parts*to + at
			n := native.Inst{Op: op, Len: length, D: g.NewV(length), A: x.R[i/parts*old+first/from], C: d, Third: true, Imm: int64(at)}
			if from > to {
				n.Imm = int64(first % from)
			}
			g.Put(n)
			d = n.D
		}
		v.R = append(v.R, d)
	}
	return v
}

func (g *toyTarget) FloatOp(op scalar.Op, x, y, z native.Value) native.Value {
	return g.lanes(scalar.Inst{Op: op, Type: x.T}, x, y, z, "")
}

func (g *toyTarget) IntOp(op scalar.Op, x, y native.Value) native.Value {
	return g.lanes(scalar.Inst{Op: op, Type: x.T}, x, y, native.Value{}, "")
}

func (g *toyTarget) ShiftConst(op scalar.Op, x native.Value, n uint64) native.Value {
	return g.IntOp(op, x, g.Num(x.T, int64(min(n, uint64(x.T.Bits())))))
}

func (g *toyTarget) Scale(x, n native.Value) native.Value {
	return g.FloatOp(scalar.OpScale, x, n, native.Value{})
}

func (g *toyTarget) Lookup(table ir.Table, x native.Value) native.Value {
	key := fmt.Sprint(table)
	toyCode(toyOp{}) // makes the maps
	toyOps.Lock()
	toyOps.tables[key] = table
	toyOps.Unlock()
	return g.lanes(scalar.Inst{Op: scalar.OpLookup, Type: table.Type}, x, native.Value{}, native.Value{}, key)
}

func (g *toyTarget) Convert(t scalar.Type, x native.Value) native.Value {
	switch {
	case x.T == t:
		return x
	case x.T != scalar.Bool:
		return g.resize(scalar.Inst{Op: scalar.OpConvert, Type: t}, x)
	}
	op := toyCode(toyOp{form: toyFromBit, in: scalar.Inst{Op: scalar.OpConvert, Type: t}, from: scalar.Bool})
	parts, length := g.Layout(t.Size())
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.Put(native.Inst{Op: op, Len: length, D: d, K: x.R[i/parts], Imm: int64(i % parts * g.PerPart(t.Size()))})
		v.R = append(v.R, d)
	}
	return v
}

func (g *toyTarget) Truncate(t scalar.Type, x native.Value) native.Value { return g.Convert(t, x) }

func (g *toyTarget) WidenHalf(x native.Value) native.Value {
	return g.resize(scalar.Inst{Op: scalar.OpWiden, Type: scalar.F32, DType: core.Float16}, x.As(scalar.U16))
}

func (g *toyTarget) NarrowHalf(x native.Value) native.Value {
	return g.resize(scalar.Inst{Op: scalar.OpNarrow, Type: scalar.U16, DType: core.Float16}, x)
}

func (g *toyTarget) Rounded(x native.Value) native.Value {
	r := g.resize(scalar.Inst{Op: scalar.OpNarrow, Type: scalar.U16, DType: core.BFloat16}, x)
	r = g.resize(scalar.Inst{Op: scalar.OpWiden, Type: scalar.F32, DType: core.BFloat16}, r)
	return g.Choose(g.Unordered(x, x), x, r)
}

func (g *toyTarget) Extreme(x, y native.Value, least bool) native.Value {
	if least {
		return g.Choose(g.Compare(scalar.OpLt, x, y), x, y)
	}
	return g.Choose(g.Compare(scalar.OpLt, y, x), x, y)
}

func (g *toyTarget) Rotates(scalar.Type, int64) bool { return false }

func (g *toyTarget) Rotate(native.Value, int64) native.Value { panic("BUG: rotation") }

// mask returns a mask for each copy, made by an instruction without vectors.
func (g *toyTarget) mask(in native.Inst, f toyForm) native.Value {
	v := g.NewValue(scalar.Bool)
	in.Op, in.D = toyCode(toyOp{form: f}), g.NewK()
	g.Put(in)
	for range g.Lanes.U {
		v.R = append(v.R, in.D)
	}
	return v
}

func (g *toyTarget) BoolConst(x bool) native.Value {
	return g.mask(native.Inst{Imm: map[bool]int64{true: -1}[x]}, toyMask)
}

func (g *toyTarget) BoolLike(x, _ native.Value) native.Value { return x }

func (g *toyTarget) BoolToInt(t scalar.Type, x native.Value) native.Value { return g.Convert(t, x) }

func (g *toyTarget) Compare(op scalar.Op, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.Logic(op, x, y)
	}
	code := toyCode(toyOp{form: toyCompare, in: scalar.Inst{Op: op, Type: scalar.Bool}, from: x.T})
	parts, length := g.Layout(x.T.Size())
	v := g.NewValue(scalar.Bool)
	var d native.VReg
	for i, a := range x.R {
		if i%parts == 0 {
			d = 0
		}
		n := native.Inst{Op: code, Len: length, D: g.NewK(), A: a, B: y.R[i], C: d, Third: true, Imm: int64(i % parts * g.PerPart(x.T.Size()))}
		g.Put(n)
		if d = n.D; i%parts == parts-1 {
			v.R = append(v.R, d)
		}
	}
	return v
}

func (g *toyTarget) Unordered(x, y native.Value) native.Value {
	return g.Logic(scalar.OpOr, g.Compare(scalar.OpNe, x, x), g.Compare(scalar.OpNe, y, y))
}

func (g *toyTarget) Logic(op scalar.Op, x, y native.Value) native.Value {
	v := g.NewValue(scalar.Bool)
	for i, a := range x.R {
		d := g.NewK()
		g.Put(native.Inst{Op: toyCode(toyOp{form: toyLogic, in: scalar.Inst{Op: op}}), D: d, A: a, B: y.R[i]})
		v.R = append(v.R, d)
	}
	return v
}

func (g *toyTarget) Not(x native.Value) native.Value {
	return g.Logic(scalar.OpXor, x, g.BoolConst(true))
}

func (g *toyTarget) Choose(c, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.Logic(scalar.OpOr, g.Logic(scalar.OpAnd, c, x), g.Logic(scalar.OpLt, c, y))
	}
	parts, length := g.Layout(x.T.Size())
	v := g.NewValue(x.T)
	for i, a := range x.R {
		d := g.NewV(length)
		g.Put(native.Inst{Op: toyCode(toyOp{form: toySelect, from: x.T}), Len: length, D: d, A: a, B: y.R[i], K: c.R[i/parts], Imm: int64(i % parts * g.PerPart(x.T.Size()))})
		v.R = append(v.R, d)
	}
	return v
}

func (g *toyTarget) BranchIfNone(c native.Value, to native.Label) {
	if g.Lanes.Mask != nil {
		c = g.Logic(scalar.OpAnd, c, native.Value{T: scalar.Bool, R: g.Lanes.Mask})
	}
	k := native.Value{T: scalar.Bool, R: c.R[:1]}
	for _, r := range c.R[1:] {
		k = g.Logic(scalar.OpOr, k, native.Value{T: scalar.Bool, R: []native.VReg{r}})
	}
	g.BranchOp(native.Eq, native.Inst{Op: toyCode(toyOp{form: toyTest}), A: k.R[0], Imm: int64(g.Lanes.N)}, to)
}

// same returns a register for each part.
func (g *toyTarget) same(t scalar.Type, in native.Inst, f toyForm) native.Value {
	parts, length := g.Layout(t.Size())
	in.Op, in.Len, in.D = toyCode(toyOp{form: f, from: t}), length, g.NewV(length)
	g.Put(in)
	v := g.NewValue(t)
	for range parts * g.Lanes.U {
		v.R = append(v.R, in.D)
	}
	return v
}

func (g *toyTarget) Spread(x native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.mask(native.Inst{A: x.R[0]}, toySpreadK)
	}
	return g.same(x.T, native.Inst{A: x.R[0]}, toySpread)
}

func (g *toyTarget) SpreadGeneral(t scalar.Type, x native.VReg) native.Value {
	return g.same(t, native.Inst{A: x}, toyFromG)
}

func (g *toyTarget) SpreadBool(x native.VReg) native.Value { return g.mask(native.Inst{A: x}, toyGToK) }

func (g *toyTarget) ToGeneral(x native.Value) native.VReg {
	d := g.NewG()
	g.Put(native.Inst{Op: toyCode(toyOp{form: toyToG, from: x.T}), D: d, A: x.R[0]})
	return d
}

func (g *toyTarget) UpperLanes(x native.Value, from int) native.VReg {
	if x.T == scalar.Bool {
		d := g.NewK()
		g.Put(native.Inst{Op: toyCode(toyOp{form: toyShiftK}), D: d, A: x.R[0], Imm: int64(from)})
		return d
	}
	d := g.NewV(0)
	g.Put(native.Inst{Op: toyCode(toyOp{form: toyShift, from: x.T}), D: d, A: x.R[0], Imm: int64(from)})
	return d
}

func (g *toyTarget) FirstLanes(n native.VReg, skip, lanes int64) native.VReg {
	d := g.NewK()
	g.Put(native.Inst{Op: toyCode(toyOp{form: toyFirst}), D: d, A: n, Imm: skip, Disp: int32(lanes)})
	return d
}

func (g *toyTarget) LoadScalar(t scalar.Type, p *native.Place) native.Value {
	if t == scalar.Bool {
		k := g.NewK()
		g.Put(p.At(native.Inst{Op: toyCode(toyOp{form: toyLoadK}), D: k}, 0))
		return native.Value{T: t, R: []native.VReg{k}}
	}
	d := g.NewV(0)
	g.Put(p.At(native.Inst{Op: native.LoadOp(t.Size()), D: d}, 0))
	return native.Value{T: t, R: []native.VReg{d}}
}

func (g *toyTarget) StoreScalar(x native.Value, p *native.Place) {
	op := native.StoreOp(x.T.Size())
	if x.T == scalar.Bool {
		op = toyCode(toyOp{form: toyStoreK})
	}
	g.Put(p.At(native.Inst{Op: op, A: x.R[0]}, 0))
}

func (g *toyTarget) LoadSame(t scalar.Type, p *native.Place) native.Value {
	return g.same(t, p.At(native.Inst{}, 0), toyLoadAll)
}

// run is an instruction on register i of a run of elements.
func (g *toyTarget) run(t scalar.Type, p *native.Place, i int, in native.Inst, masked toyForm, plain native.Op) {
	parts, length := g.Layout(t.Size())
	per := g.PerPart(t.Size())
	in.Len, in.Op = length, plain
	if m := g.Active(p); m != nil {
		in.Op, in.K, in.Imm = toyCode(toyOp{form: masked, from: t, n: per}), m.R[i/parts], int64(i%parts*per)
	}
	g.Put(p.At(in, int64(i*per*t.Size())))
}

func (g *toyTarget) LoadRun(t scalar.Type, p *native.Place) native.Value {
	parts, length := g.Layout(t.Size())
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.run(t, p, i, native.Inst{D: d}, toyLoadRun, native.LoadOp(g.PerPart(t.Size())*t.Size()))
		v.R = append(v.R, d)
	}
	return v
}

func (g *toyTarget) StoreRun(x native.Value, p *native.Place) bool {
	for i, r := range x.R {
		g.run(x.T, p, i, native.Inst{A: r}, toyStoreRun, native.StoreOp(g.PerPart(x.T.Size())*x.T.Size()))
	}
	return true
}

func (g *toyTarget) Gather(t scalar.Type, p *native.Place) native.Value { return g.GatherEach(t, p) }

func (g *toyTarget) CombineLoads(*native.Draft) {}

func (g *toyTarget) Assembler(e *native.Emitter) native.Assembler { return &toyAssembler{Emitter: e} }

// toyInst is an encoded instruction.
type toyInst struct {
	Op, Kind      uint16
	D, A, B, C, K int16 // registers, −1 for none
	Base, Index   int16
	Scale, Cond   uint8
	UseMem        bool
	Len           uint8
	Disp          int32
	To            int32
	Imm           int64
}

// Kinds of encoded instructions.
const (
	toyDo uint16 = iota
	toyBranch
	toyJump
	toyCall
	toyRet
	toyEnd
	toyCopy
	toyLoadSlot
	toyStoreSlot
	toyLoadConst
)

type toyAssembler struct {
	*native.Emitter
	code   []toyInst
	labels []int32
}

func (a *toyAssembler) Begin(labels int, scratch bool) {
	a.labels = make([]int32, labels)
	if scratch {
		a.code = append(a.code, toyInst{Op: uint16(native.Load64), D: int16(toyModel.Scratch), Base: int16(toyModel.Args), Index: -1, A: -1, B: -1, C: -1, K: -1, UseMem: true})
	}
}

func (a *toyAssembler) read(r native.VReg) int16 {
	if r == 0 {
		return -1
	}
	return int16(a.Read(r))
}

func (a *toyAssembler) Inst(in *native.Inst) {
	t := toyInst{Op: uint16(in.Op), D: -1, A: a.read(in.A), C: a.read(in.C), K: a.read(in.K), Base: a.read(in.Base), Index: a.read(in.Index),
		B: a.read(in.B), Scale: in.Scale, Cond: uint8(in.Cond), UseMem: in.Mem, Len: in.Len, Disp: in.Disp, Imm: in.Imm, To: int32(in.Label)}
	if in.Kind == native.KindBranch && in.D == 0 {
		t.Kind = toyBranch
	}
	if in.D == 0 {
		a.code = append(a.code, t)
		return
	}
	v := &a.Regs[in.D]
	d, ok := a.Fixed(in.D)
	if !ok { // operands are read before the result is written, so that it may share a register with one
		d = [native.NumClasses]native.Reg{native.ClassV: a.Temps[2], native.ClassG: toyModel.GeneralTemps[2], native.ClassK: toyModel.MaskTemps[0]}[v.Class]
	}
	t.D = int16(d)
	a.code = append(a.code, t)
	if !ok {
		a.Store(v, d)
	}
	if in.Kind == native.KindBranch { // the result, which a jump must not leave behind, is compared with 0
		a.code = append(a.code, toyInst{Kind: toyBranch, Op: uint16(native.CmpI), B: t.D, Cond: t.Cond, To: t.To})
	}
}

func (a *toyAssembler) slot(kind uint16, c native.Class, length uint8, r native.Reg, at int32) {
	a.code = append(a.code, toyInst{Kind: kind, Op: uint16(c), Len: length, D: int16(r), Disp: at})
}

func (a *toyAssembler) CopyReg(c native.Class, length uint8, d, s native.Reg) {
	a.code = append(a.code, toyInst{Kind: toyCopy, Op: uint16(c), Len: length, D: int16(d), A: int16(s)})
}

func (a *toyAssembler) LoadSlot(c native.Class, length uint8, d native.Reg, at int32) {
	a.slot(toyLoadSlot, c, length, d, at)
}

func (a *toyAssembler) StoreSlot(c native.Class, length uint8, s native.Reg, at int32) {
	a.slot(toyStoreSlot, c, length, s, at)
}

func (a *toyAssembler) LoadConst(d native.Reg, v *native.RegInfo) {
	a.slot(toyLoadConst, native.ClassV, v.Len, d, v.Off)
}

func (a *toyAssembler) Bind(l native.Label) { a.labels[l] = int32(len(a.code)) }

func (a *toyAssembler) Jump(l native.Label) {
	a.code = append(a.code, toyInst{Kind: toyJump, To: int32(l)})
}

func (a *toyAssembler) Call(l native.Label) {
	a.code = append(a.code, toyInst{Kind: toyCall, To: int32(l)})
}

func (a *toyAssembler) Ret() { a.code = append(a.code, toyInst{Kind: toyRet}) }

func (a *toyAssembler) End(bool) { a.code = append(a.code, toyInst{Kind: toyEnd}) }

func (a *toyAssembler) Finish(pool []byte) ([]byte, int) {
	var b bytes.Buffer
	for i := range a.code {
		if k := a.code[i].Kind; k == toyBranch || k == toyJump || k == toyCall {
			a.code[i].To = a.labels[a.code[i].To]
		}
	}
	_ = binary.Write(&b, binary.LittleEndian, a.code)
	n := b.Len()
	b.Write(pool)
	return b.Bytes(), n
}
