package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// The usual signatures, one to three arrays in and one or two out, are called
// without reflection. A call whose types and settings are those of the call before
// finds its program by comparing them.

// fast returns the wrapped function for the usual signatures.
func (j *jitted) fast(f any) (any, bool) {
	switch f.(type) {
	case func(Array) Array:
		c := &fastCall{j: j}
		return func(x Array) Array { return c.one([]Array{x})[0] }, true
	case func(Array, Array) Array:
		c := &fastCall{j: j}
		return func(x, y Array) Array { return c.one([]Array{x, y})[0] }, true
	case func(Array, Array, Array) Array:
		c := &fastCall{j: j}
		return func(x, y, z Array) Array { return c.one([]Array{x, y, z})[0] }, true
	case func(Array) (Array, Array):
		c := &fastCall{j: j}
		return func(x Array) (Array, Array) { o := c.one([]Array{x}); return o[0], o[1] }, true
	case func(Array, Array) (Array, Array):
		c := &fastCall{j: j}
		return func(x, y Array) (Array, Array) { o := c.one([]Array{x, y}); return o[0], o[1] }, true
	case func(Array, Array, Array) (Array, Array):
		c := &fastCall{j: j}
		return func(x, y, z Array) (Array, Array) { o := c.one([]Array{x, y, z}); return o[0], o[1] }, true
	}
	return nil, false
}

type fastCall struct{ j *jitted }

// one calls the function with arrays only.
func (c *fastCall) one(args []Array) []Array {
	leaves := make([]core.Value, len(args))
	for i, x := range args {
		if x.IsZero() {
			core.FailOp(core.ErrTree, c.j.op, nil, "argument %d is the zero Array, which holds no value: was it not set?", i)
		}
		leaves[i] = *x.v
	}
	t := c.known(leaves)
	if t == nil {
		at := make([]reflect.Value, len(args))
		counts := make([]int, len(args))
		for i := range args {
			at[i], counts[i] = reflect.ValueOf(&args[i]), 1
		}
		var err error
		if t, err = c.j.program("", nil, at, counts, leaves); err != nil {
			panic(err)
		}
	}
	return arraysOf(c.j.bind(t, nil, leaves))
}

// known returns the program of the last miss, if it is for these types and settings.
func (c *fastCall) known(leaves []core.Value) *traced {
	t := c.j.last.Load()
	if t == nil || len(t.avals) != len(leaves) || t.settings != runtime.Current().Tracing || core.Tracing() {
		return nil
	}
	for i, v := range leaves {
		if v.Aval() != t.avals[i] {
			return nil
		}
	}
	if len(t.closed) > 0 {
		return nil
	}
	return t
}
