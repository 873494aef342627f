package weft

import (
	"github.com/weft-go/weft/core/prim"
)

// IndexMode states what an index outside of its axis does: see [Ref.Mode].
type IndexMode = prim.IndexMode

// The modes.
const (
	PromiseInBounds = prim.PromiseInBounds
	ClipIndex       = prim.Clip
	FillOrDrop      = prim.FillOrDrop
)
