package native

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/lower/schedule"
)

// A Sweep is a micro-kernel of the product of a row with a matrix that is larger than the
// cache,
//
//	C[j] += Σₖ X[k] · B[k, j],
//
// which reads four rows of B at a time from start to end: in this order memory is fastest. The sums of a chain
// stay in the first-level cache meanwhile. A call takes at most the contracted elements of a chain. The order
// of operations is that of Tile.
type Sweep struct {
	Elem schedule.Element // F32 or F64
}

// SweepArgs are the arguments of a [Sweep].
type SweepArgs struct {
	X, B, C uint64 // addresses
	Sums    uint64 // address of memory for the sums, as long as C
	StepX   uint64 // bytes from element to element of X
	LdB     uint64 // bytes from row to row of B
	Bytes   uint64 // of C, whole vectors, at least one
	K       uint64 // contracted elements, at least 1
	Flags   uint64 // Accumulate, Final
}

func (k Sweep) words() int { return int(unsafe.Sizeof(SweepArgs{}) / 8) }

func (k Sweep) problem(*Model) string {
	if k.Elem > schedule.F64 {
		return fmt.Sprintf("product of a row of %v with a matrix", k.Elem)
	}
	return ""
}

func (k Sweep) name(*Model) string { return fmt.Sprintf("sweep_%v", k.Elem) }

// General registers of a Sweep.
const (
	sweepPos  = g0
	sweepX    = g0 + 4
	sweepSums = g0 + 5
	sweepC    = g0 + 6
	sweepLd   = g0 + 7
	sweepEnd  = g0 + 8 // bytes of C
	sweepStep = g0 + 9
	sweepK    = g0 + 10
	sweepWide = g0 + 11 // the position from which no whole group of vectors is left
)

// sweepRows are the registers with the addresses of rows of B.
var sweepRows = [4]VReg{g0 + 2, g0 + 1, g0 + 3, g0 + 12}

// Vector registers: elements of X come first.
const (
	sweepVecs = 4 // vectors of a row that are read together
	sweepSum  = v0 + 4
	sweepTemp = v0 + 8
)

type sweepCode struct{ *Micro }

func (k Sweep) write(w *Micro) {
	w.of(k.Elem)
	sweepCode{w}.code()
}

func (w sweepCode) code() {
	for _, a := range []struct {
		r  VReg
		at uintptr
	}{
		{sweepX, unsafe.Offsetof(SweepArgs{}.X)}, {sweepRows[0], unsafe.Offsetof(SweepArgs{}.B)}, {sweepC, unsafe.Offsetof(SweepArgs{}.C)},
		{sweepSums, unsafe.Offsetof(SweepArgs{}.Sums)}, {sweepStep, unsafe.Offsetof(SweepArgs{}.StepX)}, {sweepLd, unsafe.Offsetof(SweepArgs{}.LdB)},
		{sweepEnd, unsafe.Offsetof(SweepArgs{}.Bytes)}, {sweepK, unsafe.Offsetof(SweepArgs{}.K)},
	} {
		w.Load(a.r, arg(a.at))
	}
	w.Move(sweepWide, sweepEnd)
	w.DoI(SubI, sweepWide, w.Model.VectorBytes*(sweepVecs-1))
	w.Zero(sweepSum)
	w.over(func() { w.storeV(Indexed(sweepSums, sweepPos, 0, 0), sweepSum) })
	several, few, one, done := w.newLabel(), w.newLabel(), w.newLabel(), w.newLabel()
	w.doJump(SubI, sweepK, 4, Lt, few)
	w.bind(several)
	w.rows(4)
	w.doJump(SubI, sweepK, 4, Ge, several)
	w.bind(few)
	w.doJump(AddI, sweepK, 4, Eq, done)
	w.bind(one)
	w.rows(1)
	w.doJump(SubI, sweepK, 1, Ne, one)
	w.bind(done)
	w.update()
}

// over writes a loop over the vectors of C.
func (w sweepCode) over(body func()) {
	top := w.newLabel()
	w.clear(sweepPos)
	w.bind(top)
	body()
	w.DoI(AddI, sweepPos, w.Model.VectorBytes)
	w.branch(Lt, sweepPos, sweepEnd, top)
}

// rows adds the products of n rows of B to the sums.
func (w sweepCode) rows(n int) {
	for i := range n {
		w.Same(v0+VReg(i), At(sweepX, 0))
		w.Do(Add, sweepX, sweepStep)
		if i > 0 {
			w.Address(sweepRows[i], Indexed(sweepRows[i-1], sweepLd, 0, 0))
		}
	}
	wide, single, last, done := w.newLabel(), w.newLabel(), w.newLabel(), w.newLabel()
	w.clear(sweepPos)
	w.branch(Ge, sweepPos, sweepWide, last)
	w.loopStart(wide)
	w.add(n, sweepVecs)
	w.branch(Lt, sweepPos, sweepWide, wide)
	w.bind(last)
	w.branch(Ge, sweepPos, sweepEnd, done)
	w.bind(single)
	w.add(n, 1)
	w.branch(Lt, sweepPos, sweepEnd, single)
	w.bind(done)
	w.Address(sweepRows[0], Indexed(sweepRows[n-1], sweepLd, 0, 0))
}

// add adds the products of n rows with some vectors at the present position to the sums, row by row, and
// advances the position behind these vectors.
func (w sweepCode) add(n, vecs int) {
	bytes := w.Model.VectorBytes
	for v := range vecs {
		w.LoadV(sweepSum+VReg(v), Indexed(sweepSums, sweepPos, 0, v*bytes))
	}
	for i := range n {
		for v := range vecs {
			w.FMALoad(sweepSum+VReg(v), v0+VReg(i), Indexed(sweepRows[i], sweepPos, 0, v*bytes), sweepTemp)
		}
	}
	for v := range vecs {
		w.storeV(Indexed(sweepSums, sweepPos, 0, v*bytes), sweepSum+VReg(v))
	}
	w.DoI(AddI, sweepPos, vecs*bytes)
}

// update adds the chain's sums to C.
func (w sweepCode) update() {
	const nan, temp, sum, flags = v0, v0 + 1, sweepSum, sweepX
	w.NaNs(nan)
	w.Load(flags, arg(unsafe.Offsetof(SweepArgs{}.Flags)))
	w.over(func() {
		fresh, stored := w.newLabel(), w.newLabel()
		w.Zero(temp) // a sum of −0 becomes +0 when +0 is added
		w.Move(sweepK, flags)
		w.doJump(AndI, sweepK, Accumulate, Eq, fresh)
		w.LoadV(temp, Indexed(sweepC, sweepPos, 0, 0))
		w.bind(fresh)
		w.PlusLoad(sum, temp, Indexed(sweepSums, sweepPos, 0, 0), sweepTemp)
		w.Move(sweepK, flags)
		w.doJump(AndI, sweepK, Final, Eq, stored)
		w.Canonical(sum, nan, temp)
		w.bind(stored)
		w.storeV(Indexed(sweepC, sweepPos, 0, 0), sum)
	})
}
