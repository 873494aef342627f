package amd64

import "github.com/weft-go/weft/lower/ir"

// streamBytes is the size from which a result is written past the caches: they would keep the least of it
// until something reads it, and would read every line before it is overwritten.
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

// streamRun writes whole vectors past the caches where their address is a multiple of their length, else
// as usual. It reports whether the kernel and the machine write such vectors.
func (g *gen) streamRun(x value, p *place, bytes int) bool {
	if !g.stream || bytes != g.model.vectorBytes || !g.model.streams {
		return false
	}
	length := vectorLen(bytes)
	usual, done := g.newLabel(), g.newLabel()
	d := g.newG()
	g.put(p.at(minst{op: Address, d: d}, 0))
	g.branchBits(Ne, d, int64(bytes-1), usual)
	for i, r := range x.r {
		g.put(p.at(minst{op: VStream, len: length, a: r}, int64(i*bytes)))
	}
	g.jump(done)
	g.bind(usual)
	for i, r := range x.r {
		g.put(p.at(minst{op: VStore, len: length, a: r}, int64(i*bytes)))
	}
	g.bind(done)
	g.streamed = true
	return true
}
