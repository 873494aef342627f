package stablehlo

import (
	"fmt"
	"io"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// Write writes a program as a StableHLO module, which [Load] reads back with the same
// results, bit for bit, and which XLA accepts. Its captured arrays are constants of the
// module. Operations that StableHLO lacks are operations of CHLO, or composites with a
// decomposition; one that calls the host, names an axis or has neither is an error.
//
//	ir, err := weft.Jaxpr(f, x)
//	err = stablehlo.Write(file, ir)
func Write(w io.Writer, ir *weft.IR) error {
	if w == nil || ir == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "stablehlo.Write", Pos: core.HerePos(), Msg: "the writer or the program is nil"}
	}
	text, err := stablehlo.Write(ir, stablehlo.WriteOptions{Bytes: elements})
	if err != nil {
		return fmt.Errorf("stablehlo.Write: %w", err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// elements returns the memory of a concrete array.
func elements(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	return a.Tensor().Data, true
}
