package wasm

import (
	"fmt"

	"github.com/weft-go/weft/lower/native"
)

func (w *writer) inst(in *native.Inst) {
	switch in.Kind {
	case native.KindLabel, native.KindLoopStart, native.KindLoopEnd, native.KindRareStart, native.KindRareEnd:
	case native.KindComment:
		if w.listing {
			w.lines = append(w.lines, "\t\t; "+w.Comment(in.Imm))
		}
	case native.KindJump:
		w.jump(opBr, in.Label)
	case native.KindBranch:
		w.branch(in)
	case native.KindConst:
		w.constant(w.vectorAt(w.Regs[in.D].Off))
		w.put(w.localOf(in.D))
	case native.KindMove:
		switch {
		case w.Regs[in.D].Class == native.ClassV:
			w.push(in.B)
		case w.short[in.D]:
			w.push32(in.B)
		default:
			w.push64(in.B)
		}
		w.put(w.localOf(in.D))
	case native.KindCall:
		c := &w.Calls[in.Imm]
		w.get(argsLocal)
		w.get(scratchLocal)
		for _, r := range c.Args {
			w.push(r)
		}
		w.opUint(opCall, uint64(1+c.Fn))
		for i := len(c.Results) - 1; i >= 0; i-- {
			w.put(w.localOf(c.Results[i]))
		}
	case native.KindParams:
		params, _, _ := w.Function(int(in.Imm))
		for i, r := range params {
			w.get(int32(2 + i))
			w.put(w.localOf(r))
		}
	case native.KindReturn:
		_, results, _ := w.Function(int(in.Imm))
		for _, r := range results {
			w.push(r)
		}
	default:
		w.operation(in)
	}
}

var (
	vectorLoads = map[native.Op]Op{native.VLoad1: v128Load8Splat, native.VLoad2: v128Load16Splat,
		native.VLoad4: v128Load32Zero, native.VLoad8: v128Load64Zero, native.VLoad: v128Load}
	laneStores = map[native.Op]Op{native.VStore1: v128Store8Lane, native.VStore2: v128Store16Lane,
		native.VStore4: v128Store32Lane, native.VStore8: v128Store64Lane}
)

func (w *writer) vectorAt(offset int32) []byte { return w.Pool[offset:][:vectorBytes] }

func (w *writer) operation(in *native.Inst) {
	switch {
	case in.Op == native.Prefetch || in.Op == native.Align:
		return
	case in.Op == native.VStore:
		offset := w.address(in)
		w.push(in.A)
		w.vecAccess(v128Store, offset)
		return
	case laneStores[in.Op] != 0:
		offset := w.address(in)
		w.push(in.A)
		w.laneAccess(laneStores[in.Op], offset, 0)
		return
	case generalStores[in.Op] != 0:
		offset := w.address(in)
		w.push64(in.A)
		w.access(generalStores[in.Op], offset)
		return
	case in.Op == opStorePart:
		w.storePart(in)
		return
	case in.Op == native.VLoad && in.Pool:
		w.constant(w.vectorAt(in.Disp))
	case vectorLoads[in.Op] != 0:
		w.vecAccess(vectorLoads[in.Op], w.address(in))
	case in.Op == opLoadPart:
		w.loadPart(in)
	case in.Op == opTruncS || in.Op == opTruncU:
		w.truncate(in)
	case in.Op == opFMA32 && w.pair[in.D]:
		w.fusedPair(w.localOf(in.D), in.A, in.B, in.C, in.Imm != 0)
		return
	case in.Op == opFMA32:
		w.fused32(in.A, in.B, in.C, in.Imm != 0)
	case in.Op == opRound:
		w.push(in.C)
		w.roundSum(w.localOf(in.C), w.localOf(in.A), w.localOf(in.B), w.localOf(in.D))
		return
	case in.Op == opTies:
		w.ties(w.localOf(in.A), w.localOf(in.B))
	case in.Op == opFMA64:
		w.help(helperFMA64, in.A, in.B, in.C)
	case in.Op >= vectorOps:
		w.vector(in)
		return
	default:
		w.general(in)
	}
	w.put(w.localOf(in.D))
}

// vector writes an instruction of this target and sets its result. Its operands are those of a, b and c that
// are set.
func (w *writer) vector(in *native.Inst) {
	info := &opTable[in.Op-vectorOps]
	params, offset := info.params, uint32(0)
	if info.imm == memory || info.imm == memoryLane {
		offset, params = w.address(in), params[1:]
	}
	rs := [...]native.VReg{in.A, in.B, in.C}
	next := 0
	for _, p := range params {
		for next < len(rs) && rs[next] == 0 {
			next++
		}
		if next == len(rs) {
			if p != 'i' {
				panic("BUG: wasm: too few operands of " + info.name)
			}
			w.const32(int32(in.Imm)) // the amount of a shift
			continue
		}
		r := rs[next]
		next++
		switch p {
		case 'v':
			w.push(r)
		case 'i':
			w.push32(r)
		case 'l':
			w.push64(r)
		default:
			panic(fmt.Sprintf("BUG: wasm: operand %c of %s", p, info.name))
		}
	}
	switch info.imm {
	case noImm:
		w.vec(in.Op)
	case lane:
		w.vecLane(in.Op, in.Imm)
	case memory:
		w.vecAccess(in.Op, offset)
	case memoryLane:
		w.laneAccess(in.Op, offset, in.Imm)
	case shuffle:
		w.shuffle(w.vectorAt(int32(in.Imm)))
	}
	switch {
	case info.result == "i" && !w.short[in.D]:
		w.op(extendS)
	case info.result == "l" && w.short[in.D]:
		w.op(i32WrapI64)
	case info.result == "":
		return
	}
	w.put(w.localOf(in.D))
}

// truncate converts both lanes of f64, one after the other.
func (w *writer) truncate(in *native.Inst) {
	op := truncSatF64S
	if in.Op == opTruncU {
		op = truncSatF64U
	}
	for i := range int64(2) {
		w.push(in.B)
		w.vecLane(f64x2ExtractLane, i)
		w.line("i64.trunc_sat_f64")
		w.code = append(w.code, satPrefix, op)
		if i == 0 {
			w.vec(i64x2Splat)
		} else {
			w.vecLane(i64x2ReplaceLane, 1)
		}
	}
}

// partial is an access to the first elements of a vector; K has their number. Usually these are all elements.
type partial struct {
	*writer
	in *native.Inst
}

func (p partial) atLeast(n int64, result byte) {
	p.push64(p.in.K)
	p.const64(n)
	p.op(i64GeS)
	p.block(opIf, result)
}

func (p partial) load(op Op) { p.vecAccess(op, p.address(p.in)) }

// loadPart pushes the first elements and zeros.
func (w *writer) loadPart(in *native.Inst) {
	p := partial{w, in}
	zeros := func() { w.constant(same(0)) }
	p.atLeast(int64(vectorBytes/in.Imm), typeV128)
	p.load(v128Load)
	w.op(opElse)
	if in.Imm == 8 {
		p.orElse(1, func() { p.load(v128Load64Zero) }, zeros)
	} else {
		p.orElse(2, func() {
			p.orElse(3, func() {
				offset := w.address(in)
				p.load(v128Load64Zero)
				w.laneAccess(v128Load32Lane, offset+8, 2)
			}, func() { p.load(v128Load64Zero) })
		}, func() { p.orElse(1, func() { p.load(v128Load32Zero) }, zeros) })
	}
	w.op(opEnd)
}

// orElse pushes one of two vectors, the first for n elements or more.
func (p partial) orElse(n int64, first, second func()) {
	p.atLeast(n, typeV128)
	first()
	p.op(opElse)
	second()
	p.op(opEnd)
}

// store stores one lane of the vector `skip` bytes behind the address; op sets the lane's size.
func (p partial) store(op Op, skip uint32, lane int64) {
	offset := p.address(p.in)
	p.push(p.in.A)
	p.laneAccess(op, offset+skip, lane)
}

func (w *writer) storePart(in *native.Inst) {
	p := partial{w, in}
	p.atLeast(int64(vectorBytes/in.Imm), typeEmpty)
	offset := w.address(in)
	w.push(in.A)
	w.vecAccess(v128Store, offset)
	w.op(opElse)
	if in.Imm == 8 {
		p.atLeast(1, typeEmpty)
		p.store(v128Store64Lane, 0, 0)
	} else {
		p.atLeast(2, typeEmpty)
		p.store(v128Store64Lane, 0, 0)
		p.atLeast(3, typeEmpty)
		p.store(v128Store32Lane, 8, 2)
		w.op(opEnd)
		w.op(opElse)
		p.atLeast(1, typeEmpty)
		p.store(v128Store32Lane, 0, 0)
		w.op(opEnd)
	}
	w.op(opEnd)
	w.op(opEnd)
}
