package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// Options configure Generate.
type Options struct {
	Depth int // wrappers within wrappers; negative: the bytes decide, up to 6
}

// gen makes a program from choices.
type gen struct {
	s     *source
	vars  int
	funcs int
	blk   *block
	stats Stats
	depth int     // of wrappers around
	cost  float64 // how often what is written now will be evaluated
	leafs int
	axes  []axis
}

// axis is a named axis in scope, and the block in which it was named.
type axis struct {
	name  string
	block *block
}

// block is a function that is being written.
type block struct {
	f      *Func
	around *block
	vars   []*Var
	closed bool // may not use variables of the functions around it
}

// Generate makes a program from bytes.
func Generate(data []byte, o Options) *Program {
	g := &gen{s: &source{data: data}, cost: 1}
	depth := o.Depth
	if depth < 0 {
		depth = []int{1, 2, 3, 4, 4, 3, 5, 6, 0, 4}[g.s.n(10)]
	}
	g.stats.Kinds = map[int]map[Kind]int{}
	g.stats.DTypes, g.stats.Ranks, g.stats.Ops = map[core.DType]bool{}, map[int]bool{}, map[string]bool{}
	p := &Program{Depth: depth}
	f := g.begin(false)
	for range 3 + g.s.n(3) {
		g.param(g.inputType())
	}
	// Every program has two parameters: one to differentiate, and one to count with.
	g.param(core.Aval([]core.DType{core.Float64, core.Float32}[g.s.n(2)], g.shape(2)...))
	g.param(core.Aval(core.Int32))
	for _, v := range f.Params {
		p.Args = append(p.Args, g.value(v.Type))
		v.mag = 4
	}
	// Often the whole is differentiated or mapped once more.
	if k := g.s.n(8); k > 2 {
		g.depth--
		g.wrapperOf([]Kind{Grad, VJP, JVP, Linearize, Vmap}[k-3], depth+1)
	} else {
		g.body(depth)
	}
	if g.s.in256(80) {
		g.body(min(depth, 1))
	}
	g.results(1+g.s.n(2), nil)
	p.Main = g.end()
	g.stats.Equations = g.leafs
	p.Stats = g.stats
	return p
}

// begin starts a function.
func (g *gen) begin(closed bool) *Func {
	g.funcs++
	f := &Func{ID: g.funcs}
	g.blk = &block{f: f, around: g.blk, closed: closed}
	return f
}

// isAround reports whether the block is the one being written or around it.
func (g *gen) isAround(b *block) bool {
	for x := g.blk; x != nil; x = x.around {
		if x == b {
			return true
		}
	}
	return false
}

// end ends the function begun last.
func (g *gen) end() *Func {
	b := g.blk
	g.blk = b.around
	return b.f
}

func (g *gen) newVar(t core.ShapedArray, mag float64) *Var {
	g.vars++
	g.stats.DTypes[t.DType] = true
	g.stats.Ranks[t.Rank()] = true
	v := &Var{ID: g.vars, Type: t.Strong(), mag: mag}
	g.blk.vars = append(g.blk.vars, v)
	return v
}

// param adds a parameter.
func (g *gen) param(t core.ShapedArray) *Var {
	v := g.newVar(t, 2)
	g.blk.f.Params = append(g.blk.f.Params, v)
	return v
}

// paramLike adds a parameter like an operand.
func (g *gen) paramLike(a Arg) *Var {
	p := g.param(a.Type().Strong())
	p.mag = max(magOf(a), 2)
	if p.mag > 6 {
		p.mag = 6
	}
	return p
}

var inputTypes = []core.DType{core.Float64, core.Float32, core.Float64, core.Float32, core.Float64, core.Complex128, core.Int32, core.Float32,
	core.Bool, core.Complex64, core.Int64, core.Uint8, core.Float32, core.BFloat16, core.Float16, core.Uint32, core.Int8}

func (g *gen) inputType() core.ShapedArray {
	return core.Aval(inputTypes[g.s.n(len(inputTypes))], g.shape(3)...)
}

// shape returns a random shape of at most 12 elements.
func (g *gen) shape(rank int) []int {
	n := []int{1, 2, 0, 1, 3, 2}[g.s.n(6)]
	s := make([]int, min(n, rank))
	for k := range s {
		s[k] = []int{2, 3, 1, 2}[g.s.n(4)]
	}
	for size(s) > 12 {
		s[slices.Index(s, 3)] = 2
	}
	return s
}

func dims(t core.ShapedArray) []int { return t.Shape.Ints() }

// value returns a random value of a type.
func (g *gen) value(t core.ShapedArray) Value {
	v := Value{Type: t}
	one := func() float64 {
		x := float64(g.s.n(256)-128) / 64
		if unit(t.DType) < 0x1p-16 {
			x += float64(g.s.n(256)) / 0x1p14
		}
		return x
	}
	for range t.Size() {
		switch {
		case t.DType.IsComplex():
			v.Elems = append(v.Elems, complex(one(), one()))
		case t.DType.IsFloat():
			v.Elems = append(v.Elems, complex(one(), 0))
		default:
			k := int64(g.s.n(9) - 3)
			if t.DType.IsUnsigned() || t.DType.IsBool() {
				k = max(k, -k)
			}
			v.Elems = append(v.Elems, complex(float64(wrap(t.DType, k)), 0))
		}
	}
	return v
}
