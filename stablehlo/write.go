package stablehlo

import (
	"fmt"
	"io"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// A WriteConfig changes how [Write] writes. Its zero value is the default.
type WriteConfig struct {
	Missing   Missing // how operations that StableHLO lacks are written
	Locations bool    // write the lines of your Go files after the operations
}

// Missing is how an operation that StableHLO lacks is written, such as erf_inv and lgamma.
type Missing uint8

const (
	// CHLO writes the operation as one of CHLO, which XLA's frontends expand; an operation that
	// CHLO lacks too is decomposed.
	CHLO = Missing(stablehlo.CHLO)
	// Decompose writes a composite: XLA runs its decomposition, weft the operation.
	Decompose = Missing(stablehlo.Decompose)
	// Refuse reports an error that names the operation.
	Refuse = Missing(stablehlo.Refuse)
)

// Write writes a program as a StableHLO module, which [Load] reads back with the same
// results, bit for bit, and which XLA accepts. Its captured arrays are constants of the
// module. An operation that calls the host or names an axis is an error. At most one
// config changes how the module is written.
//
//	ir, err := weft.Jaxpr(f, x)
//	err = stablehlo.Write(file, ir)
func Write(w io.Writer, ir *weft.IR, config ...WriteConfig) error {
	if w == nil || ir == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "stablehlo.Write", Pos: core.HerePos(), Msg: "the writer or the program is nil; pass both, the program from weft.Jaxpr"}
	}
	if len(config) > 1 {
		return &core.Error{Kind: core.ErrStatic, Op: "stablehlo.Write", Pos: core.HerePos(), Msg: fmt.Sprintf("takes one config (got %d); pass at most one", len(config))}
	}
	options := stablehlo.WriteOptions{Bytes: elements}
	for _, c := range config {
		if c.Missing > Refuse {
			return &core.Error{Kind: core.ErrStatic, Op: "stablehlo.Write", Pos: core.HerePos(), Msg: fmt.Sprintf("unknown Missing (got %d); use CHLO, Decompose or Refuse", c.Missing)}
		}
		options.Missing, options.Locations = stablehlo.Missing(c.Missing), c.Locations
	}
	text, err := stablehlo.Write(ir, options)
	if err != nil {
		return fmt.Errorf("stablehlo.Write: %w", err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// elements returns a copy of the elements of a concrete array, which may be donated while the
// text is written. It reports false for other values.
func elements(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	var data []byte
	a.Read("stablehlo.Write", func(t *reference.Tensor) { data = slices.Clone(t.Data) })
	return data, true
}
