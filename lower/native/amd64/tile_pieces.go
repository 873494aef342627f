package amd64

// A piece is its number of contracted elements, the bytes from its end to the next one's
// first element, and one of these numbers. Chains end with a piece.
const (
	TilePieceWords = 3
	TilePieceEnds  = 1 // a chain ends here
	TilePieceLast  = 2 // so do the contracted elements of the call
)

// more sets the flags: not equal if chains follow. It changes no more than tileN.
func (w *tileWriter) more() {
	if !w.Pieces {
		w.general(Test, tileLeft, tileLeft)
		return
	}
	w.load(tileN, at(tileLeft, -8))
	w.immediate(CmpI, tileN, TilePieceLast)
}

// requestB requests the vectors of B that contracted element k + Ahead from the current
// one reads; behind the end of B that has no effect.
func (w *tileWriter) requestB(k int) {
	if k == 0 {
		w.lea(tileAhead, indexed(tileB, tileStep, 0, 0))
	}
	for v := 0; v < w.Vecs*w.isa.vectorBytes(); v += 64 {
		w.generalMem(Prefetcht0, 0, times(tileAhead, tileLdb, tileLdb3, k, int32(v)))
	}
}
