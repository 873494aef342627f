package keyreuse

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

type cell struct{ used *use }

type use struct {
	prim string
	site core.Site
	call core.Site // of the call whose program contains the site; 0 if it is the same site
}

// cells are the keys of an array, in row-major order; nil for an array without keys.
type cells []*cell

func fresh(n int) cells {
	store := make([]cell, n)
	out := make(cells, n)
	for i := range out {
		out[i] = &store[i]
	}
	return out
}

// trail lists the keys that were used, so that their use can be undone.
type trail []*cell

type checker struct {
	call  core.Site // of the program that is followed; 0 for an operation by itself
	again bool      // the program computes again, for a derivative, what was computed before
	trail trail
}

// consume uses up keys, and fails if one of them was used before.
func (c *checker) consume(p core.Primitive, keys cells, site core.Site) {
	u := &use{prim: p.Name(), site: site}
	if c.call != site {
		u.call = c.call
	}
	for _, k := range keys {
		if k.used != nil {
			if c.again && k.used.prim == u.prim && k.used.site == site {
				continue // it computes the same numbers again, as intended
			}
			fail(k.used, u)
		}
		k.used = u
		c.trail = append(c.trail, k)
	}
}

var verbs = map[string]string{"random_bits": "drawn from", "random_split": "split"}

func fail(first, second *use) {
	where := func(u *use, again string) string {
		s := verbs[u.prim] + again
		if pos := u.site.String(); pos != "" {
			s += " at " + pos
		}
		if call := u.call.String(); call != "" {
			s += ", in the call at " + call + ","
		}
		return s
	}
	again := ""
	if first.prim == second.prim {
		again = " again"
	}
	msg := strings.TrimSuffix(fmt.Sprintf("a key that was %s is %s", where(first, ""), where(second, again)), ",")
	switch {
	case first == second:
		msg += ": the array of keys contains it more than once"
	case first.site == second.site && first.call == second.call && first.call != 0:
		msg += ": the loop goes by with the same key"
	}
	pos := second.site.String()
	if pos == "" {
		pos = second.call.String()
	}
	panic(&core.Error{Kind: core.ErrKeyReuse, Op: "DebugKeyReuse", Pos: pos,
		Msg: msg + "; the numbers are not independent: make a key for each use with Split, SplitN or FoldIn"})
}

func (c *checker) undo(mark int) map[*cell]*use {
	out := map[*cell]*use{}
	for _, k := range c.trail[mark:] {
		out[k] = k.used
		k.used = nil
	}
	c.trail = c.trail[:mark]
	return out
}
