package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// Bounds of kernels that arrays of different shapes share.
const (
	mostParams   = 128      // numbers of eight bytes, two for a buffer: every device takes 1,024 bytes
	roundedBytes = 16 << 10 // bytes of shared arrays whose lengths are rounded
	shortRunning = 512      // elements of a running fold that a thread takes: drivers compile a fold by a group for long
)

// UnsizedOn is FuncOn with symbols in the place of constants that may depend on the shapes of arrays: functions for arrays of different
// shapes are often equal. Values has the symbols' values.
func UnsizedOn(d schedule.Device, k schedule.Kernel) *Func {
	x, ok := k.(*ir.Kernel)
	if !ok {
		return FuncOn(d, k).Unsized()
	}
	x = x.Inlined()
	u, values := x.Unsized()
	if params(u) > mostParams {
		return Lower(x, Options{Device: d})
	}
	items, body := outer(x)
	o := Options{Mode: PerThread, Threads: d.Threads(128), Device: d}
	if share(x, items, body).group && o.Threads == 128 && !hasShortRunning(body) {
		o.Mode = PerGroup
	}
	f := lowered(u, o, indexType(x))
	f.Values = values
	return f
}

func hasShortRunning(b ir.Block) bool {
	short := false
	b.Walk(func(s ir.Stmt) {
		c, ok := s.(*ir.Cumulate)
		short = short || ok && c.Extent.Value <= shortRunning
	})
	return short
}

// Unsized returns f with symbols in the place of integer constants; f itself if it has such symbols, needs too many, or is
// no list of statements.
func (f *Func) Unsized() *Func {
	if len(f.Values) > 0 || f.Tensor != nil || f.Attention != nil || f.Gradient != nil {
		return f
	}
	g := newUnsizer(f)
	if g.run(); params(&g.k) > mostParams {
		g = newUnsizer(f)
		g.known = map[int64]ir.Size{}
		if g.run(); params(&g.k) > mostParams {
			return f
		}
	}
	return &g.f
}

type unsizer struct {
	f     Func
	k     ir.Kernel
	steps map[Reg]bool      // distances of loops: they depend on the code alone, and remain
	known map[int64]ir.Size // by value, of constants that share a symbol; nil: each has its own
}

func newUnsizer(f *Func) *unsizer {
	u := &unsizer{f: *f, k: *f.Kernel, steps: map[Reg]bool{}}
	Walk(f.Body, func(s Stmt) {
		if x, ok := s.(*For); ok {
			u.steps[x.Step] = true
		}
	})
	u.k.Symbols, u.k.Buffers = slices.Clone(u.k.Symbols), slices.Clone(u.k.Buffers)
	u.f.Kernel, u.f.Types, u.f.Arrays = &u.k, slices.Clone(f.Types), rounded(f.Arrays)
	return u
}

func params(k *ir.Kernel) int { return 2*len(k.Buffers) + len(k.Symbols) }

func (u *unsizer) run() {
	for i := range u.k.Buffers {
		if n := &u.k.Buffers[i].Len; n.IsConst() {
			*n = u.symbol(n.Value)
		}
	}
	u.f.Body = u.block(u.f.Body)
}

// rounded returns arrays with powers of two in the place of the lengths of shared ones, if these are small.
func rounded(all []Array) []Array {
	out, bytes := slices.Clone(all), 0
	for i := range out {
		if a := &out[i]; a.Shared {
			n := 1
			for n < a.Len {
				n *= 2
			}
			a.Len = n
			bytes += n * a.Type.Size()
		}
	}
	if bytes > roundedBytes {
		return all
	}
	return out
}

func (u *unsizer) block(b []Stmt) []Stmt {
	out := make([]Stmt, 0, len(b))
	for _, s := range b {
		switch x := s.(type) {
		case *Op:
			if n, ok := integer(&x.Inst); ok && !u.steps[x.Dst] {
				s = &Special{x.Dst, Symbol, u.symbol(n).Symbol - 1}
			}
		case *LoadVec:
			c := *x
			out, c.At, c.Plus = u.moved(out, x.At, x.Plus)
			s = &c
		case *StoreVec:
			c := *x
			out, c.At, c.Plus = u.moved(out, x.At, x.Plus)
			s = &c
		case *Fetch:
			c := *x
			out, c.From, c.FromPlus = u.moved(out, x.From, x.FromPlus)
			s = &c
		case *For:
			c := *x
			c.Body = u.block(x.Body)
			s = &c
		case *While:
			c := *x
			c.Cond, c.Body = u.block(x.Cond), u.block(x.Body)
			s = &c
		case *If:
			c := *x
			c.Then, c.Else = u.block(x.Then), u.block(x.Else)
			s = &c
		}
		out = append(out, s)
	}
	return out
}

// moved adds a constant distance to a position in a buffer.
func (u *unsizer) moved(out []Stmt, at Reg, plus int64) ([]Stmt, Reg, int64) {
	if plus == 0 {
		return out, at, 0
	}
	t := u.f.Types[at]
	n, sum := Reg(len(u.f.Types)), Reg(len(u.f.Types)+1)
	u.f.Types = append(u.f.Types, t, t)
	return append(out, &Special{n, Symbol, u.symbol(plus).Symbol - 1}, &Op{sum, scalar.Inst{Op: scalar.OpAdd, Type: t, Args: [3]Reg{at, n, NoReg}}}), sum, 0
}

// symbol returns a symbol of the value n.
func (u *unsizer) symbol(n int64) ir.Size {
	if s, ok := u.known[n]; ok {
		return s
	}
	u.k.Symbols = append(u.k.Symbols, "size")
	u.f.Values = append(u.f.Values, n)
	s := ir.Size{Symbol: len(u.k.Symbols)}
	if u.known != nil {
		u.known[n] = s
	}
	return s
}

// Sizes returns the registers that only one statement assigns, if it assigns a symbol whose value is in Values, with the symbol's index.
func (f *Func) Sizes() map[Reg]int {
	sizes := map[Reg]int{}
	if len(f.Values) == 0 {
		return sizes
	}
	fixed := f.Fixed()
	Walk(f.Body, func(s Stmt) {
		if x, ok := s.(*Special); ok && x.What == Symbol && x.Index >= len(f.Kernel.Symbols)-len(f.Values) && fixed[x.Dst] {
			sizes[x.Dst] = x.Index
		}
	})
	return sizes
}

// integer returns the constant of an operation, if it may depend on shapes.
func integer(in *scalar.Inst) (n int64, ok bool) {
	if in.Op != scalar.OpConst {
		return 0, false
	}
	switch n = int64(in.Imm); in.Type {
	case scalar.I64:
	case scalar.I32:
		n = int64(int32(n))
	default:
		return 0, false
	}
	return n, n < -1 || n > 1
}
