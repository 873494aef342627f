package primtest

import (
	"maps"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// Words returns the operations of package prim and of the packages under it by name.
func Words() jaxpr.Vocabulary {
	all := maps.Clone(prim.Vocabulary)
	for _, v := range []jaxpr.Vocabulary{hostcall.Vocabulary, indexed.Vocabulary, matrices.Vocabulary, rng.Vocabulary, windows.Vocabulary} {
		maps.Copy(all, v)
	}
	return all
}
