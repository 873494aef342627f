package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/linalg"
	"github.com/weft-go/weft/lower/scalar"
)

// The kernels of QR factorizations: see matrices.GeqrfP. Vectors of reflectors lie below the diagonal of a matrix. The
// vectors V of a panel are that matrix with ones on the diagonal and zeros above it.
type (
	// A Reflect factors Rows × Cols columns of matrices by a reflector for each column, of which there are no more
	// than rows.
	Reflect struct {
		Batch
		Panel
		X, Y Matrices
		Taus Matrices // one column
	}
	// A PanelFactor computes T of Cols reflectors, whose product is 1 − V·T·Vᴴ.
	PanelFactor struct {
		Batch
		Rows       ir.Size
		Cols       int64
		V, Taus, T Matrices
	}
	// A PanelProduct is C = A·B, or C −= A·B, with sums in the order of dense products.
	PanelProduct struct {
		Batch
		Sizes
		C, A, B    Matrices
		Vectors    bool // A is V
		Transposed bool // A is Vᴴ
		Less       bool
		Batches    ir.Size // the symbol in the place of Count; else 0
	}
	// An Identity is matrices with ones on the diagonal and zeros beside it.
	Identity struct {
		Batch
		Rows, Cols int64
		Y          Matrices
	}
)

// ProductChunk is the number of products of a chain of a dense product.
const ProductChunk = fuse.DotChunk

// A region is matrices in the memory of a sequence.
type region struct {
	Matrices
	slot Slot
	size int64 // elements of the whole memory
}

func (r region) from(i, j int64) region {
	r.Matrices = r.Matrices.from(i, j)
	return r
}

func (r region) adjoint() region {
	r.Matrices = r.Matrices.Adjoint()
	return r
}

func regionOf(a core.ShapedArray, s Slot) region { return region{matricesOf(a), s, int64(a.Size())} }

func column(a core.ShapedArray, s Slot) region {
	return region{Matrices{DType: a.DType, Batch: int64(a.Shape.At(-1)), Row: 1, Col: 1}, s, int64(a.Size())}
}

func (f *factoring) fresh(count, rows, cols int64) region {
	n := count * rows * cols
	return region{Matrices{DType: f.dt, Batch: rows * cols, Row: cols, Col: 1}, f.Add(n * f.size), n}
}

// A binding is the buffers of a kernel that is being built, and the memory of each.
type binding struct {
	buffers []ir.Buffer
	slots   []Slot
}

// use returns matrices as the kernel accesses them: in the buffer of their memory, which it adds unless other matrices
// lie in the same memory.
func (b *binding) use(r region, role ir.Role) Matrices {
	for i, s := range b.slots {
		if s == r.slot {
			if b.buffers[i].Role != role {
				b.buffers[i].Role = ir.InOut
			}
			return r.in(i)
		}
	}
	name := string(rune('a' + len(b.slots)))
	b.buffers = append(b.buffers, ir.Buffer{Name: name, Role: role, Type: scalar.Stored(r.DType), Len: ir.Const(components(r.DType, r.size))})
	b.slots = append(b.slots, r.slot)
	return r.in(len(b.slots) - 1)
}

// move adds the kernel that converts matrices, or their upper triangles.
func (f *factoring) move(from, to region, count, rows, cols int64, upper bool) {
	var b binding
	x, y := b.use(from, ir.In), b.use(to, ir.Out)
	f.launch(&MatrixCopy{Batch{Buffers: b.buffers, Count: count}, rows, cols, x, y, upper}, b.slots...)
}

// place returns where the result r is computed: in r, or in scratch memory if its elements are small floats.
func (f *factoring) place(r region, count, rows, cols int64) region {
	if scalar.IsSmallFloat(r.DType) {
		return f.fresh(count, rows, cols)
	}
	return r
}

// product adds the kernel of a product: c = a·b, or c −= a·b.
func (f *factoring) product(p PanelProduct, count, m, n, k int64, c, a, b region) {
	var l binding
	role := ir.Out
	if p.Less {
		role = ir.InOut
	}
	p.A, p.B, p.C = f.at(l.use(a, ir.In)), f.at(l.use(b, ir.In)), f.at(l.use(c, role))
	p.Batch, p.Sizes = Batch{Buffers: l.buffers, Count: count}, f.sizesOf(m, n, k)
	f.launch(&p, l.slots...)
}

// A panel is a number of reflectors, `width`, that are applied at once: their vectors, of `rows` elements each, and their taus.
type panel struct {
	v, taus     region
	rows, width int64
}

// apply adds the kernels that multiply c, of cols columns, by the reflectors of a panel, or by the adjoint ones.
func (f *factoring) apply(p panel, c region, count, cols int64, transposed bool) {
	if before := f.between[0]; before.Row < cols || before.Batch < p.width*before.Row {
		f.between = [3]region{f.fresh(count, p.width, cols), f.fresh(count, p.width, cols), f.fresh(count, p.width, p.width)}
	}
	x, y, t := f.between[0], f.between[1], f.between[2]
	var b binding
	k := &PanelFactor{Rows: f.number(p.rows), Cols: p.width}
	k.V, k.Taus, k.T = f.at(b.use(p.v, ir.In)), f.at(b.use(p.taus, ir.In)), b.use(t, ir.Out)
	k.Batch = Batch{Buffers: b.buffers, Count: count}
	f.launch(k, b.slots...)
	if transposed {
		t = t.adjoint()
	}
	f.product(PanelProduct{Vectors: true, Transposed: true}, count, p.width, cols, p.rows, x, p.v.adjoint(), c)
	f.product(PanelProduct{}, count, p.width, cols, p.width, y, t, x)
	f.product(PanelProduct{Vectors: true, Less: true}, count, p.rows, cols, p.width, c, p.v, y)
}

// applyAll adds the kernels that multiply c by k reflectors of rows rows, or by the adjoint ones.
func (f *factoring) applyAll(v, taus, c region, count, rows, k, cols int64, transposed bool) {
	f.divided = k > linalg.PanelWidth
	for i := int64(0); i < k; i += linalg.PanelWidth {
		j := (k-1)/linalg.PanelWidth*linalg.PanelWidth - i
		if transposed {
			j = i
		}
		f.apply(panel{v.from(j, j), taus.from(j, 0), rows - j, min(linalg.PanelWidth, k-j)}, c.from(j, 0), count, cols, transposed)
	}
}

// factor adds the kernels that reduce x to R and reflectors, in y.
func (f *factoring) factor(x, y, taus region, count, rows, cols int64) {
	k := min(rows, cols)
	f.divided = k > linalg.PanelWidth
	shared := func(rows, cols int64) bool { return (rows|1)*cols*f.size < f.most-besides }
	if cols > min(rows, linalg.PanelWidth) || !shared(rows, cols) {
		f.move(x, y, count, rows, cols, false)
		x = y
	}
	for j := int64(0); j < k; j += linalg.PanelWidth {
		p := panel{y.from(j, j), taus.from(j, 0), rows - j, min(linalg.PanelWidth, k-j)}
		var b binding
		r := &Reflect{Panel: f.panelOf(p.rows, p.width, shared(p.rows, p.width))}
		r.X, r.Y, r.Taus = f.at(b.use(x.from(j, j), ir.In)), f.at(b.use(p.v, ir.Out)), f.at(b.use(p.taus, ir.Out))
		r.Batch = Batch{Buffers: b.buffers, Count: count}
		f.launch(r, b.slots...)
		if rest := cols - j - p.width; rest > 0 {
			f.apply(p, y.from(j, j+p.width), count, rest, true)
		}
	}
}

// geqrf adds the kernels that factor matrices into R and reflectors.
func (n *Sequence) geqrf(a, taus core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || a.Size() == 0 {
		return false
	}
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	count, k := int64(a.Size())/(rows*cols), min(rows, cols)
	y, numbers := regionOf(a, result(0)), column(taus, result(1))
	to, t := f.place(y, count, rows, cols), f.place(numbers, count, k, 1)
	f.factor(regionOf(a, operand(0)), to, t, count, rows, cols)
	if to != y {
		f.move(to, y, count, rows, cols, false)
		f.move(t, numbers, count, k, 1, false)
	}
	return true
}

func (n *Sequence) qr(p matrices.QRP, a, q, r core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || p.Pivoting || q.Size() == 0 {
		return false
	}
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	count, k := int64(q.Size())/(rows*int64(q.Shape.At(-1))), min(rows, cols)
	if k == 0 {
		f.form(region{}, region{}, regionOf(q, result(0)), count, rows, 0, rows)
		return true
	}
	y, taus := f.fresh(count, rows, cols), f.fresh(count, k, 1)
	f.factor(regionOf(a, operand(0)), y, taus, count, rows, cols)
	f.move(y, regionOf(r, result(1)), count, int64(r.Shape.At(-2)), cols, true)
	f.form(y, taus, regionOf(q, result(0)), count, rows, k, int64(q.Shape.At(-1)))
	return true
}

// form adds the kernels that multiply the first columns of the identity by reflectors.
func (f *factoring) form(v, taus, q region, count, rows, k, cols int64) {
	c := f.place(q, count, rows, cols)
	var b binding
	y := b.use(c, ir.Out)
	f.launch(&Identity{Batch{Buffers: b.buffers, Count: count}, rows, cols, y}, b.slots...)
	f.applyAll(v, taus, c, count, rows, k, cols, false)
	if c != q {
		f.move(c, q, count, rows, cols, false)
	}
}

func (n *Sequence) householderProduct(a, taus core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || a.Size() == 0 {
		return false
	}
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	f.form(regionOf(a, operand(0)), column(taus, operand(1)), regionOf(a, result(0)), int64(a.Size())/(rows*cols), rows, int64(taus.Shape.At(-1)), cols)
	return true
}

// ormqr adds the kernels of a product of a matrix and reflectors. A product by reflectors on the right is computed as one of
// the adjoint matrices.
func (n *Sequence) ormqr(p matrices.OrmqrP, a, taus, c core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || c.Size() == 0 {
		return false
	}
	rows, cols := int64(c.Shape.At(-2)), int64(c.Shape.At(-1))
	count := int64(c.Size()) / (rows * cols)
	y := regionOf(c, result(0))
	to := f.place(y, count, rows, cols)
	f.move(regionOf(c, operand(2)), to, count, rows, cols, false)
	m, sides, x := rows, cols, to
	if !p.Left {
		m, sides, x = cols, rows, to.adjoint()
	}
	f.applyAll(regionOf(a, operand(0)), column(taus, operand(1)), x, count, m, int64(taus.Shape.At(-1)), sides, p.Transposed == p.Left)
	if to != y {
		f.move(to, y, count, rows, cols, false)
	}
	return true
}
