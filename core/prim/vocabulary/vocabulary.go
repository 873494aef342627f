// Package vocabulary joins the vocabularies of package prim and of the packages under it.
package vocabulary

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

// All is every leaf operation by name, for jaxpr.Parse.
var All = join(prim.Vocabulary, hostcall.Vocabulary, indexed.Vocabulary, matrices.Vocabulary, rng.Vocabulary, windows.Vocabulary)

func join(parts ...jaxpr.Vocabulary) jaxpr.Vocabulary {
	all := jaxpr.Vocabulary{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all
}
