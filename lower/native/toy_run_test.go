package native_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// A toyMachine runs the toy's code. Addresses are offsets in its memory.
type toyMachine struct {
	v   [16][16]byte
	g   [16]int64
	k   [8]uint64
	mem []byte
}

func getLane(b []byte, t scalar.Type, i int) uint64 {
	var x [8]byte
	copy(x[:], b[i*t.Size():][:t.Size()])
	return binary.LittleEndian.Uint64(x[:])
}

func putLane(b []byte, t scalar.Type, i int, x uint64) {
	var e [8]byte
	binary.LittleEndian.PutUint64(e[:], x)
	copy(b[i*t.Size():][:t.Size()], e[:])
}

// signed returns an integer of a type with its sign.
func signed(t scalar.Type, x uint64) int64 {
	n := 64 - t.Bits()
	return int64(x<<n) >> n
}

func (m *toyMachine) run(code, pool []byte, args int64) error {
	list := make([]toyInst, len(code)/binary.Size(toyInst{}))
	if err := binary.Read(bytes.NewReader(code), binary.LittleEndian, list); err != nil {
		return err
	}
	m.g[toyModel.Args] = args
	var back int32
	for pc, steps := int32(0), 0; ; steps++ {
		if steps > 1<<22 {
			return errors.New("too many steps")
		}
		in := &list[pc]
		pc++
		slot := m.mem[min(int64(len(m.mem)), max(0, m.g[toyModel.Scratch]+int64(in.Disp))):]
		switch in.Kind {
		case toyDo:
			m.do(in)
		case toyBranch:
			if m.test(in) {
				pc = in.To
			}
		case toyJump:
			pc = in.To
		case toyCall:
			back, pc = pc, in.To
		case toyRet:
			pc = back
		case toyEnd:
			return nil
		case toyCopy:
			switch native.Class(in.Op) {
			case native.ClassV:
				m.v[in.D] = m.v[in.A]
			case native.ClassG:
				m.g[in.D] = m.g[in.A]
			default:
				m.k[in.D] = m.k[in.A]
			}
		case toyLoadSlot:
			switch native.Class(in.Op) {
			case native.ClassV:
				copy(m.v[in.D][:], slot[:16])
			case native.ClassG:
				m.g[in.D] = int64(binary.LittleEndian.Uint64(slot))
			default:
				m.k[in.D] = binary.LittleEndian.Uint64(slot)
			}
		case toyStoreSlot:
			switch native.Class(in.Op) {
			case native.ClassV:
				copy(slot[:16], m.v[in.D][:])
			case native.ClassG:
				binary.LittleEndian.PutUint64(slot, uint64(m.g[in.D]))
			default:
				binary.LittleEndian.PutUint64(slot, m.k[in.D])
			}
		case toyLoadConst:
			copy(m.v[in.D][:], pool[in.Disp:][:16])
		}
	}
}

// test reports whether a branch jumps.
func (m *toyMachine) test(in *toyInst) bool {
	var x, y int64
	switch op := native.Op(in.Op); op {
	case native.Cmp:
		x = m.g[in.A]
		if in.UseMem {
			y = int64(binary.LittleEndian.Uint64(m.at(in, 8)))
		} else {
			y = m.g[in.B]
		}
	case native.CmpI:
		x, y = m.g[in.B], in.Imm
	case native.Test:
		x = m.g[in.A] & m.g[in.B]
	default: // toyTest
		x = int64(m.k[in.A] & (1<<in.Imm - 1))
	}
	return [...]bool{native.Eq: x == y, native.Ne: x != y, native.Lt: x < y, native.Le: x <= y, native.Gt: x > y, native.Ge: x >= y}[in.Cond]
}

// at returns n bytes of memory at an instruction's operand.
func (m *toyMachine) at(in *toyInst, n int) []byte {
	a := m.g[in.Base] + int64(in.Disp)
	if in.Index >= 0 {
		a += m.g[in.Index] << in.Scale
	}
	return m.mem[a:][:n:n]
}

func (m *toyMachine) do(in *toyInst) {
	var b int64
	if in.B >= 0 {
		b = m.g[in.B&15]
	}
	g := func(x int64) { m.g[in.D] = x }
	load := func(n int) uint64 {
		var x [8]byte
		copy(x[:], m.at(in, n))
		return binary.LittleEndian.Uint64(x[:])
	}
	store := func(n int) {
		var x [8]byte
		binary.LittleEndian.PutUint64(x[:], uint64(m.g[in.A]))
		copy(m.at(in, n), x[:])
	}
	loadV := func(n int) {
		var x [16]byte
		copy(x[:], m.at(in, n))
		m.v[in.D] = x
	}
	storeV := func(n int) { copy(m.at(in, n), m.v[in.A][:]) }
	switch op := native.Op(in.Op); op {
	case native.Const:
		g(in.Imm)
	case native.Address:
		a := m.g[in.Base] + int64(in.Disp)
		if in.Index >= 0 {
			a += m.g[in.Index] << in.Scale
		}
		g(a)
	case native.Add:
		g(m.g[in.C] + b)
	case native.AddI:
		g(m.g[in.C] + in.Imm)
	case native.Sub:
		g(m.g[in.C] - b)
	case native.Mul:
		g(m.g[in.C] * b)
	case native.MulI:
		g(b * in.Imm)
	case native.AndI:
		g(m.g[in.C] & in.Imm)
	case native.Or:
		g(m.g[in.C] | b)
	case native.Not:
		g(^m.g[in.C])
	case native.Neg:
		g(-m.g[in.C])
	case native.ShlI:
		g(m.g[in.C] << in.Imm)
	case native.ShrI:
		g(int64(uint64(m.g[in.C]) >> in.Imm))
	case native.SarI:
		g(m.g[in.C] >> in.Imm)
	case native.Min:
		g(min(m.g[in.C], b))
	case native.Max:
		g(max(m.g[in.C], b))
	case native.Load8:
		g(int64(load(1)))
	case native.Load16:
		g(int64(load(2)))
	case native.Load32:
		g(int64(load(4)))
	case native.Load64:
		g(int64(load(8)))
	case native.Store8:
		store(1)
	case native.Store16:
		store(2)
	case native.Store32:
		store(4)
	case native.Store64:
		store(8)
	case native.Prefetch:
	case native.VLoad:
		loadV(16)
	case native.VLoad1:
		loadV(1)
	case native.VLoad2:
		loadV(2)
	case native.VLoad4:
		loadV(4)
	case native.VLoad8:
		loadV(8)
	case native.VStore:
		storeV(16)
	case native.VStore1:
		storeV(1)
	case native.VStore2:
		storeV(2)
	case native.VStore4:
		storeV(4)
	case native.VStore8:
		storeV(8)
	default:
		m.own(in, toyOps.list[op-native.NumOps])
	}
}

// own runs an instruction that is the toy's alone.
func (m *toyMachine) own(in *toyInst, o toyOp) {
	vec := func(r int16) []byte {
		if r < 0 {
			return make([]byte, 16)
		}
		return m.v[r][:]
	}
	size := max(1, o.from.Size())
	lanes := 16 / size
	bit := func(i int) bool { return m.k[in.K]>>(int(in.Imm)+i)&1 != 0 }
	var d [16]byte
	switch o.form {
	case toyLanes:
		for i := range 16 / o.in.Type.Size() {
			x := getLane(vec(in.A), o.from, i)
			if o.in.Op == scalar.OpLookup {
				t := toyOps.tables[o.tab]
				putLane(d[:], o.in.Type, i, t.At(x))
				continue
			}
			putLane(d[:], o.in.Type, i, ireval.Apply(o.in, o.from, x, getLane(vec(in.B), o.from, i), getLane(vec(in.C), o.from, i)))
		}
		m.v[in.D] = d
	case toyResize:
		to := 16 / o.in.Type.Size()
		first, at := int(in.Imm), 0
		if lanes <= to { // narrower results
			first, at = 0, int(in.Imm)
			copy(d[:], vec(in.C))
		}
		for i := 0; i < min(lanes, to) && at+i < to && first+i < lanes; i++ {
			putLane(d[:], o.in.Type, at+i, ireval.Apply(o.in, o.from, getLane(vec(in.A), o.from, first+i), 0, 0))
		}
		m.v[in.D] = d
	case toyCompare:
		var k uint64
		if in.C >= 0 {
			k = m.k[in.C]
		}
		for i := range lanes {
			if ireval.Apply(o.in, o.from, getLane(vec(in.A), o.from, i), getLane(vec(in.B), o.from, i), 0) != 0 {
				k |= 1 << (int(in.Imm) + i)
			} else {
				k &^= 1 << (int(in.Imm) + i)
			}
		}
		m.k[in.D] = k
	case toySelect:
		for i := range lanes {
			from := in.B
			if bit(i) {
				from = in.A
			}
			putLane(d[:], o.from, i, getLane(vec(from), o.from, i))
		}
		m.v[in.D] = d
	case toyFromBit:
		for i := range 16 / o.in.Type.Size() {
			putLane(d[:], o.in.Type, i, ireval.Apply(o.in, scalar.Bool, m.k[in.K]>>(int(in.Imm)+i)&1, 0, 0))
		}
		m.v[in.D] = d
	case toyLogic:
		a, b := m.k[in.A], m.k[in.B]
		m.k[in.D] = map[scalar.Op]uint64{scalar.OpAnd: a & b, scalar.OpMin: a & b, scalar.OpOr: a | b, scalar.OpMax: a | b, scalar.OpXor: a ^ b, scalar.OpNe: a ^ b,
			scalar.OpEq: ^(a ^ b), scalar.OpLt: ^a & b, scalar.OpLe: ^a | b}[o.in.Op]
	case toyMask:
		m.k[in.D] = uint64(in.Imm)
	case toySpread:
		for i := range lanes {
			putLane(d[:], o.from, i, getLane(vec(in.A), o.from, 0))
		}
		m.v[in.D] = d
	case toySpreadK:
		m.k[in.D] = -(m.k[in.A] & 1)
	case toyFromG:
		for i := range lanes {
			putLane(d[:], o.from, i, uint64(m.g[in.A]))
		}
		m.v[in.D] = d
	case toyGToK:
		m.k[in.D] = -(uint64(m.g[in.A]) & 1)
	case toyToG:
		m.g[in.D] = signed(o.from, getLane(vec(in.A), o.from, 0))
	case toyShift:
		copy(d[:], vec(in.A)[int(in.Imm)*size:])
		m.v[in.D] = d
	case toyShiftK:
		m.k[in.D] = m.k[in.A] >> in.Imm
	case toyFirst:
		n := min(m.g[in.A], in.Imm+int64(in.Disp))
		m.k[in.D] = (uint64(1)<<n - 1) >> in.Imm
	case toyLoadK:
		m.k[in.D] = uint64(m.at(in, 1)[0])
	case toyStoreK:
		m.at(in, 1)[0] = byte(m.k[in.A] & 1)
	case toyLoadAll:
		x := getLane(m.at(in, size), o.from, 0)
		for i := range lanes {
			putLane(d[:], o.from, i, x)
		}
		m.v[in.D] = d
	case toyLoadRun, toyStoreRun:
		for i := range o.n {
			if !bit(i) {
				continue
			}
			one := *in
			one.Disp += int32(i * size)
			if o.form == toyLoadRun {
				putLane(d[:], o.from, i, getLane(m.at(&one, size), o.from, 0))
			} else {
				putLane(m.at(&one, size), o.from, 0, getLane(vec(in.A), o.from, i))
			}
		}
		if o.form == toyLoadRun {
			m.v[in.D] = d
		}
	}
}

// runToy runs a kernel's code on the toy and returns its buffers.
func runToy(k *ir.Kernel, code *native.Code, symbols []int64, buffers [][]byte) (out [][]byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	const guard = 256
	m := &toyMachine{mem: make([]byte, 64)}
	place := func(b []byte) int64 {
		m.mem = append(m.mem, make([]byte, guard)...)
		for len(m.mem)%64 != 0 {
			m.mem = append(m.mem, 0)
		}
		at := len(m.mem)
		m.mem = append(m.mem, b...)
		return int64(at)
	}
	args := []int64{place(make([]byte, code.Scratch+64))}
	for _, b := range buffers {
		args = append(args, place(b))
	}
	args = append(args, symbols...)
	points := int64(1)
	for _, d := range k.Grid {
		args = append(args, 0)
		points *= max(0, d.Extent.In(symbols))
	}
	args = append(args, points)
	if code.Fold != nil {
		args = append(args, 0, code.Fold.Extent.In(symbols))
	}
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, args)
	block := place(b.Bytes())
	m.mem = append(m.mem, make([]byte, guard)...)
	if err := m.run(code.Bytes[:code.Size], code.Bytes[code.Size:], block); err != nil {
		return nil, err
	}
	for i, b := range buffers {
		out = append(out, m.mem[args[1+i]:][:len(b)])
	}
	return out, nil
}

// toyFill draws elements: small numbers, and some that are special.
func toyFill(r *rand.Rand, t scalar.Type, b []byte) {
	for i := range len(b) / t.Size() {
		x := uint64(r.IntN(4))
		switch {
		case t == scalar.Bool:
			x &= 1
		case t == scalar.F32:
			x = uint64(math.Float32bits(float32(r.NormFloat64())))
			if r.IntN(16) == 0 {
				x = uint64(math.Float32bits([]float32{0, float32(math.Inf(1)), float32(math.NaN()), -3e38, 1e-42}[r.IntN(5)]))
			}
		case t == scalar.F64:
			x = math.Float64bits(r.NormFloat64())
			if r.IntN(16) == 0 {
				x = math.Float64bits([]float64{0, math.Inf(1), math.NaN(), -1e308, 1e-320}[r.IntN(5)])
			}
		case r.IntN(8) == 0:
			x = r.Uint64()
		}
		putLane(b, t, i, x)
	}
}

// The kernels of a sample of every primitive in every type have the bits of the evaluator on a machine
// that the code generator is not written for.
func TestToy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kernels, skipped := 0, 0
	for _, s := range primtest.EveryType() {
		err := core.Catch(func() {
			for _, k := range fuse.Translate(lower.Program(s.Jaxpr()), fuse.Native()).Kernels() {
				code, err := native.Compile(k, native.Options{ISA: toy{}})
				if err != nil {
					t.Errorf("%s: %v", s.Prim.Name(), err)
					continue
				}
				symbols := make([]int64, len(k.Symbols))
				for i := range symbols {
					symbols[i] = 3
				}
				var buffers, want [][]byte
				for _, b := range k.Buffers {
					data := make([]byte, b.Len.In(symbols)*int64(b.Type.Size()))
					toyFill(r, b.Type, data)
					buffers, want = append(buffers, data), append(want, bytes.Clone(data))
				}
				if err := ireval.Run(k, symbols, want); err != nil {
					skipped++
					continue
				}
				kernels++
				got, err := runToy(k, code, symbols, buffers)
				if err != nil {
					t.Errorf("%s of %v: %v\n%v", s.Prim.Name(), s.In, err, k)
					continue
				}
				for i := range got {
					if !bytes.Equal(got[i], want[i]) {
						t.Errorf("%s of %v: buffer %d is\n% x, want\n% x\n%v", s.Prim.Name(), s.In, i, got[i], want[i], k)
						break
					}
				}
			}
		})
		if err != nil && !errors.Is(err, core.ErrAxis) {
			t.Errorf("%s: %v", s.Prim.Name(), err)
		}
	}
	if kernels < 5000 {
		t.Errorf("only %d kernels ran; %d were skipped", kernels, skipped)
	}
}
