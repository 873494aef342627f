package jaxpr

import "github.com/weft-go/weft/core"

// Marks tell a view what a stretch of text is. Each but *Eqn has an end.
type (
	varMark     struct{ v *Var }
	typeMark    struct{ a core.ShapedArray }
	literalMark struct{}
	keywordMark struct{}
	primMark    struct{}
	programMark struct{}              // a program within another
	defMark     struct{ name string } // where a shared program is defined
	refMark     struct{ name string } // where it is used
	endMark     struct{}
	endRef      struct{}
	endProgram  struct{}
)
