package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Value is short for [core.Value].
type Value = core.Value

func eval(j *jaxpr.Jaxpr, args []Value) []Value { return jaxpr.Eval(j, nil, args) }

// The functions below that are called in many places are not inlined, which keeps programs small.

// concat is [slices.Concat].
//
//go:noinline
func concat[T any](lists ...[]T) []T { return slices.Concat(lists...) }

// bits packs masks into a comparable key.
//
//go:noinline
func bits(masks ...[]bool) string {
	var b []byte
	for _, m := range masks {
		for _, x := range m {
			if x {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
		b = append(b, '|')
	}
	return string(b)
}

// present marks the values that are not nil.
//
//go:noinline
func present(vs []Value) []bool {
	m := make([]bool, len(vs))
	for i, v := range vs {
		m[i] = v != nil
	}
	return m
}

func anyPresent(vs []Value) bool {
	for _, v := range vs {
		if v != nil {
			return true
		}
	}
	return false
}

// pick returns the values that mask marks.
//
//go:noinline
func pick[T any](vs []T, mask []bool) []T {
	n := count(mask)
	if n == 0 {
		return nil
	}
	out := make([]T, 0, n)
	for i, v := range vs {
		if mask[i] {
			out = append(out, v)
		}
	}
	return out
}

// spread is the inverse of pick: the result is zero where mask is false.
//
//go:noinline
func spread[T any](vs []T, mask []bool) []T {
	out := make([]T, len(mask))
	k := 0
	for i, m := range mask {
		if m {
			out[i] = vs[k]
			k++
		}
	}
	return out
}

//go:noinline
func not(m []bool) []bool {
	out := make([]bool, len(m))
	for i, x := range m {
		out[i] = !x
	}
	return out
}

func or(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] || b[i]
	}
	return out
}

//go:noinline
func anyTrue(m []bool) bool {
	for _, x := range m {
		if x {
			return true
		}
	}
	return false
}

//go:noinline
func count(m []bool) int {
	n := 0
	for _, x := range m {
		if x {
			n++
		}
	}
	return n
}

//go:noinline
func all(n int, v bool) []bool {
	m := make([]bool, n)
	for i := range m {
		m[i] = v
	}
	return m
}
