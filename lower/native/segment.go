package native

import "github.com/weft-go/weft/lower/ir"

// Segment is the granularity, in elements, of the parts of a running fold: each part begins at a multiple of it.
const Segment = scanGroup * ir.CumChunk

// longFold is the length from which a constant running fold can be computed in several calls.
const longFold = 1 << 16

// segmentedFold returns the running fold of a kernel if several calls can compute it for one point of the grid,
// else nil. The fold must be long or of unknown length. It must be the last statement of the kernel, or of a vector
// loop of constant extent that ends the kernel. Only operations and loads may precede.
func segmentedFold(k *ir.Kernel) *ir.Cumulate {
	b := k.Body
	for len(b) > 0 {
		last := len(b) - 1
		for _, s := range b[:last] {
			switch s.(type) {
			case *ir.Let, *ir.Index, *ir.Load, *ir.Apply:
			default:
				return nil
			}
		}
		switch s := b[last].(type) {
		case *ir.Cumulate:
			if s.Extent.IsConst() && s.Extent.Value < longFold {
				return nil
			}
			return s
		case *ir.Loop:
			if s.Kind != ir.Vector || !s.Extent.IsConst() {
				return nil
			}
			b = s.Body
		default:
			return nil
		}
	}
	return nil
}

// A segment is the part of a running fold that a call computes.
type segment struct {
	fold  *ir.Cumulate // nil: no running fold is computed in parts
	width int64        // folds side by side in a point of the grid
	axis  ir.Axis      // the axis of these folds
}

// findSegment looks for the kernel's running fold.
func (g *Gen) findSegment() {
	g.segment = segment{fold: segmentedFold(g.k), width: 1, axis: ir.NoAxis}
	if g.segment.fold == nil {
		return
	}
	if l, ok := g.k.Body[len(g.k.Body)-1].(*ir.Loop); ok {
		g.segment.width, g.segment.axis = l.Extent.Value, l.Axis
	}
}

// segmentArg returns the offset of the argument that contains the first element of a segment. The number of
// elements follows it.
func (g *Gen) segmentArg() int32 { return g.gridArg(len(g.k.Grid) + 1) }

// foldState is the state of a running fold that scratch memory keeps from call to call.
type foldState struct {
	at    []int32 // places in scratch memory: for each level its total, then its offset
	index VReg    // number of the first lane's fold; 0: there is only one fold
	size  int
}

// newFoldState makes room for the state of a running fold of some levels.
func (g *Gen) newFoldState(d folder, levels int) foldState {
	s := foldState{size: d.t.Size()}
	if g.segment.axis != ir.NoAxis {
		s.index = g.axes[g.segment.axis].reg
	}
	if g.segmentRoom == nil { // the same for the code of whole vectors and of the rest
		for range 2 * levels {
			g.segmentRoom = append(g.segmentRoom, g.room(int(g.segment.width)*s.size+64))
		}
	}
	s.at = g.segmentRoom
	return s
}

// stateOf reads or writes the registers of a value as part k of the state. Lanes beyond the last fold are
// included.
func (g *Gen) stateOf(s *foldState, k int, x Value, write bool) {
	_, length := g.Layout(s.size)
	bytes := g.PerPart(s.size) * s.size
	for i, r := range x.R {
		in := Inst{Op: LoadOp(bytes), Len: length, Mem: true, Base: ScratchReg, Disp: s.at[k] + int32(i*bytes)}
		if s.index != 0 {
			in.Index, in.Scale = s.index, uint8(Log2(s.size))
		}
		if !write {
			in.D = r
			g.Put(in)
			continue
		}
		in.Op, in.A = StoreOp(bytes), r
		g.Put(in)
	}
}

// resume sets i to the first element of the segment, reads the state of the fold there, and returns
// the end of the segment.
func (g *Gen) resume(s foldState, local, offset []element, count []VReg, i, n VReg) VReg {
	start := g.gLoad(ArgsReg, g.segmentArg())
	end := g.gAdd(start, g.gLoad(ArgsReg, g.segmentArg()+8))
	end = g.GMin(end, n)
	g.Move(i, start)
	first := g.newLabel()
	g.branchI(Eq, start, 0, first)
	g.enter()
	for k := range local {
		for j, v := range []element{local[k], offset[k]} {
			g.stateOf(&s, 2*k+j, v[0], false)
		}
		rest := start
		if k > 0 {
			rest = g.GTiedI(ShrI, start, int64(k*Log2(ir.CumChunk)))
		}
		g.Move(count[k], g.GTiedI(AndI, rest, ir.CumChunk-1))
	}
	g.leave()
	g.bind(first)
	return end
}

// suspend writes the state of a fold, from which another call continues.
func (g *Gen) suspend(s foldState, local, offset []element) {
	for k := range local {
		for j, v := range []element{local[k], offset[k]} {
			g.stateOf(&s, 2*k+j, v[0], true)
		}
	}
}
