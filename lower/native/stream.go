package native

import "github.com/weft-go/weft/lower/ir"

// streamBytes is the size from which a result is written past the caches: they would keep little
// of it until something reads it, and would read every line before it is overwritten.
const streamBytes = 1 << 24

// streams reports whether a kernel does nothing but move elements to large results.
func streams(k *ir.Kernel) bool {
	for i := range k.Buffers {
		b := &k.Buffers[i]
		if b.Role != ir.In && (b.Role != ir.Out || !b.Len.IsConst() || b.Len.Value*int64(b.Type.Size()) < streamBytes) {
			return false
		}
	}
	loaded := make([]bool, len(k.Types))
	moves := true
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			loaded[s.Dst] = true
			moves = moves && k.Buffers[s.At.Buffer].Role == ir.In
		case *ir.Store:
			moves = moves && loaded[s.Value]
		case *ir.Let, *ir.Index, *ir.Loop:
		default:
			moves = false
		}
	})
	return moves
}

// StreamRun writes whole vectors past the caches where their address is a multiple of their length,
// else as usual. It writes nothing and reports false if the kernel or the machine does not write
// such vectors.
func (g *Gen) StreamRun(x Value, p *Place, bytes int) bool {
	if !g.stream || bytes != g.model.VectorBytes || !g.model.Streams {
		return false
	}
	length := VectorLen(bytes)
	usual, done := g.newLabel(), g.newLabel()
	d := g.NewG()
	g.Put(p.At(Inst{Op: Address, D: d}, 0))
	g.BranchBits(Ne, d, int64(bytes-1), usual)
	for i, r := range x.R {
		g.Put(p.At(Inst{Op: VStream, Len: length, A: r}, int64(i*bytes)))
	}
	g.jump(done)
	g.bind(usual)
	for i, r := range x.R {
		g.Put(p.At(Inst{Op: VStore, Len: length, A: r}, int64(i*bytes)))
	}
	g.bind(done)
	g.streamed = true
	return true
}
