package device

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// origin states what lies in memory, for errors: results of an equation, or nothing but a type.
type origin struct {
	t   core.ShapedArray
	op  string // "" for what was copied to the device
	pos string // the user's line, "" if it is not known
}

// String returns the type, the operation and the line.
func (o *origin) String() string {
	text := o.t.String()
	switch {
	case o.op != "" && o.pos != "":
		text += " (" + o.op + ", " + o.pos + ")"
	case o.op != "" || o.pos != "":
		text += " (" + o.op + o.pos + ")"
	}
	return text
}

// originsOf returns the origins of a program's results: the equations that compute them, or their types. Lines of eager
// operations are not those of the calls that use them again.
func originsOf(j *jaxpr.Jaxpr, eager bool) []*origin {
	made := map[*jaxpr.Var]*jaxpr.Eqn{}
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			made[v] = e
		}
	}
	var all []*origin
	for _, a := range j.Outs {
		o := &origin{t: a.Aval()}
		if v, ok := a.(*jaxpr.Var); ok && made[v] != nil {
			o.op = made[v].Prim.Name()
			if !eager {
				o.pos = made[v].Site.String()
			}
		}
		all = append(all, o)
	}
	return all
}

// named is the number of arrays that an error about memory names.
const named = 5

// lendTo records that a block is given out. The caller has locked p.
func (p *pool) lendTo(b *block) {
	b.after = p.lent
	if p.lent != nil {
		p.lent.before = b
	}
	p.lent = b
}

// takeFrom records that a block is no longer given out. The caller has locked p.
func (p *pool) takeFrom(b *block) {
	if b.before != nil {
		b.before.after = b.after
	} else if p.lent == b {
		p.lent = b.after
	}
	if b.after != nil {
		b.after.before = b.before
	}
	b.before, b.after, b.origin = nil, nil, nil
}

// describe sets what lies in a block.
func (p *pool) describe(b *block, o *origin) {
	p.mu.Lock()
	b.origin = o
	p.mu.Unlock()
}

// largest names the largest arrays, the largest first; equal ones are counted.
func (p *pool) largest() string {
	type group struct {
		text  string
		bytes int
		n     int
	}
	var groups []*group
	by := map[string]*group{}
	p.mu.Lock()
	for b := p.lent; b != nil; b = b.after {
		if b.origin == nil {
			continue
		}
		text := b.origin.String()
		g := by[text]
		if g == nil {
			g = &group{text: text}
			by[text] = g
			groups = append(groups, g)
		}
		g.n++
		g.bytes += b.bytes
	}
	p.mu.Unlock()
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(b.bytes, a.bytes) })
	var lines []string
	for _, g := range groups[:min(named, len(groups))] {
		times := ""
		if g.n > 1 {
			times = fmt.Sprintf("%d × ", g.n)
		}
		lines = append(lines, times+g.text+", "+Bytes(g.bytes))
	}
	if len(lines) == 0 {
		return ""
	}
	return "; the largest arrays are " + strings.Join(lines, "; ")
}

// A Limiter is a Driver whose process may use less memory than the device has.
type Limiter interface {
	// Limit returns the bytes that arrays and what the pool keeps may have; 0: all. setting names what set it.
	Limit() (bytes int, setting string)
}

// limitError is the error of an allocation beyond a limit.
type limitError struct {
	limit   int
	setting string
}

func (e *limitError) Error() string {
	return fmt.Sprintf("%s limits memory to %s", e.setting, Bytes(e.limit))
}

// OutOfMemory reports that there is none.
func (e *limitError) OutOfMemory() bool { return true }

// allocate returns memory of the driver, within the limit.
func (p *pool) allocate(size int) (Memory, error) {
	l, ok := p.d.(Limiter)
	if !ok {
		return p.d.Alloc(size)
	}
	if limit, setting := l.Limit(); limit > 0 {
		p.mu.Lock()
		over := p.used+p.bytes+size > limit
		p.mu.Unlock()
		if over {
			return 0, &limitError{limit, setting}
		}
	}
	return p.d.Alloc(size)
}
