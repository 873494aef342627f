package jaxpr

import "github.com/weft-go/weft/core"

// Marks tell a sink what the text after them is, until endMark, endRef or endProgram. An *Eqn is a
// mark, too: it stands before and after the text of that equation.
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
