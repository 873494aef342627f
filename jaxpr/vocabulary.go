package jaxpr

import (
	"maps"
	"sync"

	"github.com/weft-go/weft/core"
)

// Vocabulary is a parser's table of the leaf operations: for each name
// a function that makes the primitive from its printed parameters.
type Vocabulary map[string]func(*ParamReader) core.Primitive

var registered struct {
	sync.RWMutex
	words Vocabulary
}

// Register makes words known to every parser whose own vocabulary lacks them, as those of
// a library with which programs were written. A package that has such words calls it when it is
// initialized, so that importing the package is enough. Registering a word twice, or one that this
// package reads, is an error of kind ErrStatic, with which Register panics.
func Register(words Vocabulary) {
	registered.Lock()
	defer registered.Unlock()
	for word, read := range words {
		switch {
		case read == nil:
			core.FailOp(core.ErrStatic, "jaxpr.Register", nil, "the word %s has no function that reads it; give one", word)
		case callWords[word] != nil:
			core.FailOp(core.ErrStatic, "jaxpr.Register", nil, "the word %s is one of package jaxpr; choose another", word)
		case registered.words[word] != nil:
			core.FailOp(core.ErrStatic, "jaxpr.Register", nil, "the word %s is registered already; register it once", word)
		}
	}
	if registered.words == nil {
		registered.words = Vocabulary{}
	}
	maps.Copy(registered.words, words)
}

// Registered returns the function that reads a registered word, nil if there is none.
func Registered(word string) func(*ParamReader) core.Primitive {
	registered.RLock()
	defer registered.RUnlock()
	return registered.words[word]
}
