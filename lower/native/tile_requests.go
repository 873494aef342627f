package native

import "unsafe"

const lineBytes = 64

// requestC requests the tile of C, which is used after the chain. It requests nothing if the tile is one row.
func (t *TileCode) requestC() {
	if t.Rows == 1 {
		return
	}
	t.Move(tileN, tileC)
	for r := range t.Rows {
		for v := 0; v < t.Vecs*t.Model.VectorBytes; v += lineBytes {
			t.Request(At(tileN, v))
		}
		if r+1 < t.Rows {
			t.Do(Add, tileN, tileLdC)
		}
	}
}

const tileBeside = unsafe.Offsetof(TileArgs{}.beside)

func (t *TileCode) startRequests() {
	t.Load(g0, arg(tileLoops+unsafe.Sizeof(TileLoop{})+unsafe.Offsetof(TileLoop{}.B)))
	t.store(arg(tileBeside), g0)
}

func (t *TileCode) nextRequests() {
	t.Load(g0, arg(tileBeside))
	t.DoI(AddI, g0, lineBytes)
	t.store(arg(tileBeside), g0)
}
