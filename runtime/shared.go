package runtime

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// What executors that compile have in common.

// Ended returns the error of a context that has ended, with its cause; else nil.
func Ended(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// CheckCounts returns an error unless len(args) is takes and len(outs) is has.
func CheckCounts(takes, has int, args, outs []*Array) error {
	if len(args) == takes && len(outs) == has {
		return nil
	}
	return fmt.Errorf("the program takes %s and has %s (got %d and %d); pass an array for each",
		core.Count(takes, "argument"), core.Count(has, "result"), len(args), len(outs))
}

// Constants returns the arrays that a program captured, without those of the programs within it.
func Constants(j *jaxpr.Jaxpr) ([]*Array, error) {
	if n := len(j.Consts); len(j.ConstVals) != n {
		return nil, &core.Error{Kind: core.ErrCheck, Msg: fmt.Sprintf("a program within the program was read from text, without the values of its %s; make them arguments", core.Count(n, "constant"))}
	}
	consts := make([]*Array, len(j.ConstVals))
	for i, v := range j.ConstVals {
		a, ok := v.(*Array)
		if !ok {
			return nil, fmt.Errorf("BUG: constant %d is a %T, want an array", i, v)
		}
		consts[i] = a
	}
	return consts, nil
}

// A LeafCache caches the code of eager operations for an executor. When it is full it is
// emptied.
type LeafCache[T any] struct {
	mu    sync.Mutex
	known map[leafKey]T
}

type leafKey struct {
	p     core.Primitive
	types string
}

const maxLeaves = 1024

// Get returns the cached value of an operation on operands of these types. If there is none, it
// returns the value that make returns, and caches it if keep is true. Many goroutines may call it,
// and make, at once.
func (c *LeafCache[T]) Get(p core.Primitive, types string, make func() (x T, keep bool)) T {
	key := leafKey{p, types}
	c.mu.Lock()
	x, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return x
	}
	x, keep := make()
	if keep {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.known == nil || len(c.known) >= maxLeaves {
			c.known = map[leafKey]T{}
		}
		c.known[key] = x
	}
	return x
}

// TypesText returns the types of operands as text.
func TypesText(in []core.ShapedArray) string {
	var b strings.Builder
	for _, a := range in {
		b.WriteString(a.Full())
		b.WriteByte(' ')
	}
	return b.String()
}
