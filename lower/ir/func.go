package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
)

// Apply defines values as the results of a function of the kernel: a scalar program that
// many statements share, so that its code is written once.
type Apply struct {
	Func int   // index in Kernel.Funcs
	Args []Ref // one for each component of each operand, in order
	Dst  []Ref // one for each component of each result
}

func (*Apply) isStmt() {}

// ParamTypes returns the types of a program's parameters, one for each component of each operand.
func ParamTypes(p *scalar.Prog) []scalar.Type {
	var ts []scalar.Type
	for _, dt := range p.In {
		for range scalar.Components(dt) {
			ts = append(ts, scalar.Stored(dt))
		}
	}
	return ts
}

// ParamIndex returns the index in ParamTypes of the parameter that an OpParam with the given Imm
// reads.
func ParamIndex(p *scalar.Prog, imm uint64) int {
	n := int(imm & 0xff)
	for _, dt := range p.In[:imm>>8] {
		n += scalar.Components(dt)
	}
	return n
}

// Apply is Inline by means of a function: the kernel contains the program once.
func (b *Builder) Apply(p *scalar.Prog, args [][]Ref) []Ref {
	s := &Apply{Func: b.function(p), Args: slices.Concat(args...), Dst: make([]Ref, len(p.Results))}
	for k, r := range p.Results {
		s.Dst[k] = b.value(p.Code[r].Type)
	}
	b.put(s)
	return s.Dst
}

// function returns the index of a function, which it adds if the kernel lacks it.
func (b *Builder) function(p *scalar.Prog) int {
	i := slices.Index(b.k.Funcs, p)
	if i < 0 {
		i = len(b.k.Funcs)
		b.k.Funcs = append(b.k.Funcs, p)
	}
	return i
}

func (c *checker) apply(s *Apply) error {
	if s.Func < 0 || s.Func >= len(c.k.Funcs) {
		return fmt.Errorf("function %d of %d; add the function to the kernel", s.Func, len(c.k.Funcs))
	}
	p := c.k.Funcs[s.Func]
	types := ParamTypes(p)
	if len(s.Args) != len(types) || len(s.Dst) != len(p.Results) {
		return fmt.Errorf("f%d takes %d values and returns %d (got %d and %d); pass and define as many", s.Func, len(types), len(p.Results), len(s.Args), len(s.Dst))
	}
	for i, a := range s.Args {
		if err := c.useAs(a, types[i]); err != nil {
			return err
		}
	}
	for i, r := range s.Dst {
		if err := c.define(r, p.Code[p.Results[i]].Type); err != nil {
			return err
		}
	}
	return nil
}

func (w *printer) function(i int, p *scalar.Prog) {
	lines := strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")
	w.line("f%d = %s", i, lines[0])
	for _, l := range lines[1:] {
		w.line("%s", strings.Replace(l, " ; ", " ;; ", 1))
	}
}

// apply writes "apply f0 %1, %2 -> %3".
func (w *printer) apply(s *Apply) {
	refs := func(rs []Ref) string {
		t := make([]string, len(rs))
		for i, r := range rs {
			t[i] = ref(r)
		}
		return strings.Join(t, ", ")
	}
	w.line("apply f%d %s -> %s", s.Func, refs(s.Args), refs(s.Dst))
}
