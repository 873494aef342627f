package native

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/schedule"
)

// A MicroKernel is code of dense work for operands of any size, in registers that its author
// chose: a [Tile], [RowDots], [LongDot], [Sweep], [Transpose], [RowCopy] or [Largest]. It takes
// the address of a block of arguments: a [TileArgs], [RowDotsArgs] and so on. Its values are
// comparable.
type MicroKernel interface {
	name(m *Model) string
	words() int              // of the block of arguments
	problem(m *Model) string // what the machine has no code for, "" if it has code
	write(w *Micro)
}

// CompileMicro returns the code of a micro-kernel.
func CompileMicro(k MicroKernel, isa ISA) (*Code, error) {
	m := isa.Model()
	if why := k.problem(m); why != "" {
		return nil, fmt.Errorf("BUG: native: %v has no %s", isa, why)
	}
	pool := generators(isa)
	g := pool.Get().(*Gen)
	defer pool.Put(g)
	target, ok := g.Target.(MicroTarget)
	if !ok {
		return nil, fmt.Errorf("%v: %s has no machine code; run it on another executor", isa, k.name(m))
	}
	g.Draft.reset(m)
	w := &Micro{Draft: g.Draft, Model: m}
	w.fix()
	w.MicroPatterns = target.Micro(w)
	k.write(w)
	if d, ok := g.Target.(DraftWriter); ok {
		bytes, size := d.WriteDraft(w.Draft, nil)
		return &Code{Name: k.name(m), ISA: isa, Bytes: bytes, Size: size, Args: k.words(), Instructions: w.Emitted}, nil
	}
	e := &Emitter{Draft: g.Draft}
	e.asm = g.Target.(RegisterTarget).Assembler(e)
	e.asm.Begin(w.labels, false)
	for i := range w.List {
		e.inst(&w.List[i])
	}
	e.asm.End(false)
	bytes, size := e.asm.Finish(w.Pool)
	return &Code{Name: k.name(m), ISA: isa, Bytes: slices.Clone(bytes), Size: size, Args: k.words(), Instructions: w.Emitted}, nil
}

// A MicroTarget is a Target that has micro-kernels.
type MicroTarget interface {
	Micro(w *Micro) MicroPatterns
}

// MicroPatterns are the parts of micro-kernels that a target writes. Vectors have elements of
// [Micro.Type] or, where only their bits count, of [Micro.Size] bytes. A temp may be
// overwritten, whether the target needs it or not.
type MicroPatterns interface {
	Zero(d VReg)
	Same(d VReg, m Mem)                  // an element of memory to all lanes
	FMA(d, x, y VReg)                    // d += x·y, rounded once
	FMALoad(d, x VReg, m Mem, temp VReg) // … y is in memory
	FMASame(d, x VReg, m Mem, temp VReg) // … y is an element of memory in all lanes
	Plus(d, x, y VReg)
	PlusLoad(d, x VReg, m Mem, temp VReg)
	LoadOne(d VReg, m Mem) // one element
	StoreOne(m Mem, s VReg)
	PlusOne(d, x, y VReg) // d = x + y of the vectors' first elements
	NaNs(d VReg)          // the canonical NaN in all lanes
	Canonical(d, nan, temp VReg)

	// CountDown subtracts 1 from a word in memory and jumps where the result is not zero.
	CountDown(m Mem, temp VReg, to Label)

	// Parts of vectors.
	StartMasks(table VReg)           // before FirstMask; table is a general register
	ArgMask(k Mask, m Mem)           // what [Model.LaneMask] put into the arguments
	FirstMask(k Mask, n, temp VReg)  // the first n lanes, n ≥ 1; all lanes if there are fewer than n
	LoadMask(d VReg, m Mem, k Mask)  // zeros to the other lanes
	StoreMask(m Mem, s VReg, k Mask) // nothing to the other lanes

	// A block consists of [Model.Block] bytes of each of as many rows as a vector has lanes. These methods
	// transpose it to vectors that contain one element of each row. place returns the memory of row i, for
	// which it may emit instructions; the target calls it in an order of its own.
	Block(place func(i int) Mem, in, temp VReg, part *Mask) VReg // reads elements under the mask, if there is one; uses vectors from in and from temp on, and returns the first of the result's
	Transposed(in, temp VReg) VReg                               // a block in registers; uses as many from temp on

	// Magnitudes of floats, as integers of 32 bits: of an f64, the upper half.
	Magnitudes(d VReg)                             // the bits that count: [Micro.UpperMagnitude] in all lanes
	LargestLoad(most, bits VReg, m Mem, temp VReg) // most = the greater of most and of the magnitudes of a vector
	Largest(most, bits, x VReg)                    // … of the vector x, which is overwritten

	// Register tiles of products.
	StartTile(t *TileCode)       // called once, before A and B are known
	AtTile(t *TileCode)          // called once, when A and B are known
	Products(t *TileCode, n int) // adds the products of the next 1, 2 or 4 contracted elements, and advances A and B
	Skip(t *TileCode, m Mem)     // advances A by the number of bytes that m holds
}

// A BlockPairer is a [MicroPatterns] whose vectors have two blocks.
type BlockPairer interface {
	// TwoBlocks reads vectors of rows as two blocks that Transposed takes. It uses four vectors from
	// `temp` on.
	TwoBlocks(place func(i int) Mem, in, second, temp VReg)
}

// A Mask states which lanes count. Its number is from 1 to 3: that of a mask register where the model has masks.
// Other targets keep the mask in Vector, or a number of lanes in a general register.
type Mask struct {
	Number int
	Vector VReg
}

// Micro is a micro-kernel that is being written.
type Micro struct {
	*Draft
	MicroPatterns
	Model *Model
	Type  schedule.Element
	Size  int // bytes of an element
}

// microGeneral is the greatest number of general registers of a micro-kernel.
const microGeneral = 24

// The registers of micro-kernels, whose numbers are fixed: vectors, general registers and masks.
const (
	v0 VReg = 1
	g0      = v0 + 32
	k0      = g0 + microGeneral
)

// V returns vector register i.
func (w *Micro) V(i int) VReg { return v0 + VReg(i) }

// G returns register i of [Model.MicroGeneral].
func (w *Micro) G(i int) VReg { return g0 + VReg(i) }

// K returns mask register i.
func (w *Micro) K(i int) VReg { return k0 + VReg(i) }

// Len returns the length of vectors, encoded as n for 16<<n bytes.
func (w *Micro) Len() uint8 {
	n := uint8(0)
	for 16<<n < w.Model.VectorBytes {
		n++
	}
	return n
}

func (w *Micro) fix() {
	w.fixed = true
	w.Regs = w.Regs[:1]
	for i := range Reg(32) {
		w.Regs = append(w.Regs, RegInfo{Class: ClassV, Len: w.Len(), reg: i})
	}
	for i := range microGeneral {
		r := RegInfo{Class: ClassG, start: -1} // the machine has no such register
		if i < len(w.Model.MicroGeneral) {
			r = RegInfo{Class: ClassG, reg: w.Model.MicroGeneral[i]}
		}
		w.Regs = append(w.Regs, r)
	}
	for i := range Reg(8) {
		w.Regs = append(w.Regs, RegInfo{Class: ClassK, reg: i})
	}
}

func (w *Micro) of(e schedule.Element) { w.Type, w.Size = e, e.Size() }

// Constant returns a constant in the pool: the bits of an element, repeated to a number of bytes.
func (w *Micro) Constant(element uint64, bytes int) Mem {
	if w.Size == 4 {
		element |= element << 32
	}
	at := len(w.Pool)
	for range bytes / 8 {
		w.Pool = binary.LittleEndian.AppendUint64(w.Pool, element)
	}
	return Mem{Pool: true, Disp: int32(at)}
}

// NaN returns the bits of the canonical NaN.
func (w *Micro) NaN() uint64 { return [2]uint64{0x7fc00000, 0x7ff8000000000000}[w.Size/8] }

// UpperMagnitude returns the bits that count for a magnitude: in an f32 all but the sign, in an f64 those of the
// upper half without the sign.
func (w *Micro) UpperMagnitude() uint64 { return [2]uint64{0x7fffffff, 0x7fffffff00000000}[w.Size/8] }

func (w *Micro) lanes() int { return w.Model.VectorBytes / w.Size }

// depth returns the number of elements of each row of a block.
func (w *Micro) depth() int { return w.Model.Block / w.Size }
