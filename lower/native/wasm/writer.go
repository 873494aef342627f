package wasm

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/native"
)

// Instructions that are written as several.
const (
	opLoadPart  Op = vectorOps + 0x200 + iota // d = the first k elements of imm bytes, and zeros
	opStorePart                               // stores the first k elements of imm bytes
	opTruncS                                  // d = two f64 as i64, saturated
	opTruncU                                  // … as u64
	opFMA32                                   // d = a·b + c of f32; imm is 1 if all lanes of b are equal
	opFMA64                                   // … of f64, by the module's function
	opRound                                   // d = the two f64 of c as f32; c becomes the sum that ties reads: see roundSum
	opTies                                    // d = what ties pushes of a and b
)

// Kinds of locals.
const (
	shortLocal = iota // i32: a general register of which only the low half counts
	wideLocal         // i64
	vectorLocal
	pairLocal // two vectors
	numLocals
)

var localTypes = [numLocals]byte{typeI32, typeI64, typeV128, typeV128}

// The first locals of all functions.
const (
	argsLocal    = 0 // the address of the arguments
	scratchLocal = 1
)

type writer struct {
	*native.Draft
	short []bool // by register: whether it is an i32
	pair  []bool // … a pair
	known []bool // … a constant

	code  []byte // of the function
	local []int32
	base  [numLocals]int32
	open  []construct

	set     int32 // the local that was set last
	setAt   int   // where the instruction that set it begins
	setEnd  int   // … and ends, −1: there is none
	setLine int
	lines   []string
	listing bool

	fma    fusedLocals // of the function
	helped bool        // some code calls a helper
}

// WriteDraft writes a module.
func (g *simd) WriteDraft(d *native.Draft, listing *strings.Builder) ([]byte, int) {
	w := &writer{Draft: d, listing: listing != nil}
	w.findShort()
	w.findPairs()
	fs := []function{w.function([]byte{typeI32}, nil, d.List)}
	for i := range d.Functions() {
		params, results, list := d.Function(i)
		fs = append(fs, w.function(append([]byte{typeI32, typeI32}, vectors(len(params))...), vectors(len(results)), list))
	}
	if w.helped {
		fs = append(fs, w.helpers()...)
	}
	if listing != nil {
		for _, line := range w.lines {
			listing.WriteString(line)
			listing.WriteByte('\n')
		}
	}
	return moduleOf(fs, d.Pool)
}

func vectors(n int) []byte {
	t := make([]byte, n)
	for i := range t {
		t[i] = typeV128
	}
	return t
}

func (w *writer) begin() {
	w.code, w.setEnd, w.open = nil, -1, w.open[:0]
}

// finish returns the function with its locals declared in front. counts has their numbers by kind.
func (w *writer) finish(params, results []byte, counts [numLocals]int32) function {
	w.op(opEnd)
	groups := 0
	var head []byte
	for k, n := range counts {
		if n > 0 {
			groups++
			head = append(appendUint(head, uint64(n)), localTypes[k])
		}
	}
	head = append(appendUint(nil, uint64(groups)), head...)
	return function{params, results, append(head, w.code...)}
}

func (w *writer) function(params, results []byte, list []native.Inst) function {
	w.begin()
	local, n := w.Locals(list, numLocals, w.kind)
	counts := [numLocals]int32(n)
	w.local = local
	at := int32(len(params))
	if len(params) == 1 { // the kernel's scratch memory is not a parameter
		counts[shortLocal]++
		w.get(argsLocal)
		w.access(i32Load, 0)
		w.put(scratchLocal)
		w.base[shortLocal] = at + 1
	} else {
		w.base[shortLocal] = at
	}
	w.base[wideLocal] = at + counts[shortLocal]
	w.base[vectorLocal] = w.base[wideLocal] + counts[wideLocal]
	if usesFMA32(list) {
		w.fma = w.startFused(w.base[vectorLocal] + counts[vectorLocal])
		counts[vectorLocal] += fusedCount
	}
	w.base[pairLocal] = w.base[vectorLocal] + counts[vectorLocal]
	counts[pairLocal] *= 2
	ns := nestOf(list, w.Labels())
	for i := range list {
		in := &list[i]
		if in.Kind == native.KindLabel && len(w.open) > 0 && w.open[len(w.open)-1] == (construct{in.Label, false}) {
			w.close()
		}
		for _, c := range ns.opens[i] {
			if w.open = append(w.open, c); c.loop {
				w.block(opLoop, typeEmpty)
			} else {
				w.block(opBlock, typeEmpty)
			}
		}
		w.inst(in)
		if ns.loopEnds[i] != noLabel {
			w.close()
		}
	}
	return w.finish(params, results, counts)
}

func (w *writer) close() {
	w.op(opEnd)
	w.open = w.open[:len(w.open)-1]
}

// jump writes a jump to the label of an open block or loop. The operand is the number of open constructs inside that
// one.
func (w *writer) jump(op byte, l native.Label) {
	for i := len(w.open) - 1; i >= 0; i-- {
		if w.open[i].label == l {
			w.opUint(op, uint64(len(w.open)-1-i))
			return
		}
	}
	panic("BUG: wasm: a jump out of its nest")
}

func (w *writer) kind(r native.VReg) int {
	switch {
	case w.pair[r]:
		return pairLocal
	case w.Regs[r].Class == native.ClassV:
		return vectorLocal
	case w.short[r]:
		return shortLocal
	}
	return wideLocal
}

// localOf returns the local of a register, the first one of a pair.
func (w *writer) localOf(r native.VReg) int32 {
	k := w.kind(r)
	if k == pairLocal {
		return w.base[k] + 2*w.local[r]
	}
	return w.base[k] + w.local[r]
}

func (w *writer) line(text string) {
	w.Emitted++
	if w.listing {
		w.lines = append(w.lines, "\t"+strings.Repeat("  ", len(w.open))+text)
	}
}

func (w *writer) op(op byte) {
	w.line(plainTable[op].name)
	w.code = append(w.code, op)
}

func (w *writer) opUint(op byte, n uint64) {
	if w.listing {
		w.line(fmt.Sprintf("%s %d", plainTable[op].name, n))
	} else {
		w.Emitted++
	}
	w.code = appendUint(append(w.code, op), n)
}

// block begins a block, a loop or a choice.
func (w *writer) block(op, result byte) {
	w.line(plainTable[op].name)
	w.code = append(w.code, op, result)
}

func (w *writer) get(l int32) {
	if w.set == l && w.setEnd == len(w.code) { // the last instruction sets it
		w.code[w.setAt] = opLocalTee
		if w.listing {
			w.lines[w.setLine] = strings.Replace(w.lines[w.setLine], "local.set", "local.tee", 1)
		}
		w.setEnd = -1
		return
	}
	w.opUint(opLocalGet, uint64(l))
}

func (w *writer) put(l int32) {
	at := len(w.code)
	w.opUint(opLocalSet, uint64(l))
	w.set, w.setAt, w.setEnd, w.setLine = l, at, len(w.code), len(w.lines)-1
}

func (w *writer) const32(n int32) {
	if w.listing {
		w.line(fmt.Sprintf("i32.const %d", n))
	} else {
		w.Emitted++
	}
	w.code = appendInt(append(w.code, i32Const), int64(n))
}

func (w *writer) const64(n int64) {
	if w.listing {
		w.line(fmt.Sprintf("i64.const %d", n))
	} else {
		w.Emitted++
	}
	w.code = appendInt(append(w.code, i64Const), n)
}

// access writes a load or a store of general registers.
func (w *writer) access(op byte, offset uint32) {
	if w.listing {
		w.line(fmt.Sprintf("%s offset=%d", plainTable[op].name, offset))
	} else {
		w.Emitted++
	}
	w.code = appendUint(append(w.code, op, 0), uint64(offset))
}

func (w *writer) vec(op Op) {
	w.line(opTable[op-vectorOps].name)
	w.code = appendUint(append(w.code, vectorPrefix), uint64(op-vectorOps))
}

func (w *writer) vecLane(op Op, lane int64) {
	if w.listing {
		w.line(fmt.Sprintf("%s %d", opTable[op-vectorOps].name, lane))
	} else {
		w.Emitted++
	}
	w.code = append(appendUint(append(w.code, vectorPrefix), uint64(op-vectorOps)), byte(lane))
}

func (w *writer) vecAccess(op Op, offset uint32) {
	if w.listing {
		w.line(fmt.Sprintf("%s offset=%d", opTable[op-vectorOps].name, offset))
	} else {
		w.Emitted++
	}
	w.code = appendUint(append(appendUint(append(w.code, vectorPrefix), uint64(op-vectorOps)), 0), uint64(offset))
}

func (w *writer) laneAccess(op Op, offset uint32, lane int64) {
	w.vecAccess(op, offset)
	w.code = append(w.code, byte(lane))
}

func (w *writer) constant(b []byte) {
	if w.listing {
		w.line(fmt.Sprintf("v128.const i8x16 % x", b))
	} else {
		w.Emitted++
	}
	w.code = append(append(w.code, vectorPrefix, byte(v128Const-vectorOps)), b...)
}

func (w *writer) shuffle(b []byte) {
	if w.listing {
		w.line(fmt.Sprintf("i8x16.shuffle % x", b))
	} else {
		w.Emitted++
	}
	w.code = append(append(w.code, vectorPrefix, byte(i8x16Shuffle-vectorOps)), b...)
}
