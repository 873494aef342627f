package schedule

import (
	"math/bits"
	"reflect"

	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// An Update is a kernel whose grid points change elements of a buffer as if one after another in
// row-major order, since several may change one element. Points that add integers run at once. Else all
// points run in sequence, or points are sorted by what they change, and those that change the same
// elements run in sequence, or only the last of them if points replace elements. Sorting requires that
// two points change the same elements or none in common.
type Update struct {
	Kernel *ir.Kernel
	Points int64      // of the grid
	Prefix ir.Block   // computes what Store and Inside need
	Store  *ir.Access // what a point changes
	Inside ir.Ref     // a value of the kernel: whether a point changes elements; ir.NoRef: all do
	Run    int64      // elements that a point changes beside each other, at most
}

// NewUpdate returns the update of a kernel of constant sizes.
func NewUpdate(k *ir.Kernel) *Update {
	k = k.Inlined()
	u := &Update{Kernel: k, Points: 1, Inside: ir.NoRef, Run: 1}
	for _, d := range k.Grid {
		u.Points *= d.Extent.Value
	}
	body := k.Body
	for i, s := range body {
		if c, ok := s.(*ir.If); ok {
			u.Prefix, u.Inside, body = body[:i], c.Cond, c.Then
			break
		}
	}
	for i, s := range body {
		switch s := s.(type) {
		case *ir.Loop:
			u.Run = s.Extent.Value
			if u.Inside == ir.NoRef {
				u.Prefix = body[:i]
			}
		case *ir.Store:
			if u.Inside == ir.NoRef && u.Prefix == nil {
				u.Prefix = body[:i]
			}
		}
	}
	body.Walk(func(s ir.Stmt) {
		if s, ok := s.(*ir.Store); ok {
			u.Store = &s.At
		}
	})
	return u
}

// Key returns the type of the keys of points.
func (u *Update) Key() scalar.Type {
	if u.Kernel.Buffers[u.Store.Buffer].Len.Value < 1<<32-1 {
		return scalar.U32
	}
	return scalar.U64
}

// KeyBits returns the number of low bits in which keys differ.
func (u *Update) KeyBits() int { return bits.Len64(uint64(u.Kernel.Buffers[u.Store.Buffer].Len.Value)) }

// Adds reports whether the order of points does not matter because each only adds to elements or subtracts from
// them, and these are integers of at least four bytes and at most the given number of bytes.
func (u *Update) Adds(bytes int) bool {
	t := u.Kernel.Buffers[u.Store.Buffer].Type
	if t.IsFloat() || t.Size() < 4 || t.Size() > bytes {
		return false
	}
	read, sum, users, stores := ir.NoRef, ir.NoRef, 0, 0
	adds, own := true, true
	u.Kernel.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			if s.At.Buffer == u.Store.Buffer {
				own = own && read == ir.NoRef && reflect.DeepEqual(s.At, *u.Store)
				read = s.Dst
			}
		case *ir.Store:
			stores++
			adds = adds && sum != ir.NoRef && s.Value == sum
		case *ir.Let:
			for _, a := range s.Inst.Args {
				if a != ir.NoRef && a == read {
					users++
				}
			}
			if x := s.Inst; x.Type == t && read != ir.NoRef && (x.Args[0] == read && (x.Op == scalar.OpAdd || x.Op == scalar.OpSub) || x.Args[1] == read && x.Op == scalar.OpAdd) {
				sum = s.Dst
			}
		case *ir.If, *ir.Loop, *ir.Index:
		default:
			own = false
		}
	})
	return own && adds && users == 1 && stores == 1
}

// Tallies returns the number of groups that add up points in shared memory before they add to memory. That pays
// where many points change few integers of four bytes, one each; elsewhere Tallies returns 0.
func (u *Update) Tallies() int64 {
	b := u.Kernel.Buffers[u.Store.Buffer]
	if b.Type.Size() != 4 || b.Len.Value > mostTallied || u.Run > 1 {
		return 0
	}
	return min(MostGroups, u.Points/(tallied*max(b.Len.Value, GroupedThreads)))
}

const (
	mostTallied = 4096 // elements that groups have in shared memory
	tallied     = 4    // points, at least, for each of them and for each thread
)

// The kernels of an update. Their buffers are those of the update and, but for the first two, keys and the numbers
// of points.
type (
	// UpdateInOrder runs the points in sequence, on one group.
	UpdateInOrder struct{ *Update }
	// UpdateAtOnce runs all points at once; [Update.Adds] reports whether it can.
	UpdateAtOnce struct{ *Update }
	// UpdateKeys numbers the points and computes a key for each. Points that change the same elements
	// have equal keys; points that change no element have the greatest key.
	UpdateKeys struct{ *Update }
	// UpdateLast runs the last point of each key, where updates replace elements; keys are sorted.
	UpdateLast struct{ *Update }
	// UpdateGrouped runs the points of one key in sequence; keys are sorted. A group takes tiles of
	// points, and of the elements that they change beside each other.
	UpdateGrouped struct {
		*Update
		Items int64 // of a tile for each thread; 0: chosen by the sizes
	}
)

// Sizes of the tiles of UpdateGrouped.
const (
	GroupedThreads = 256
	groupedColumns = 32 // of the elements that a point changes, at most
	groupedItems   = 8
)

// Tile returns the numbers of points and of columns of a tile.
func (u *UpdateGrouped) Tile() (points, columns int64) {
	columns = 1
	for columns < min(u.Run, groupedColumns) {
		columns *= 2
	}
	if u.Items > 0 {
		return u.Items * GroupedThreads / columns, columns
	}
	items := int64(groupedItems)
	if u.Kernel.Buffers[u.Store.Buffer].Type.Size() > 4 || u.Key().Size() > 4 {
		items /= 2
	}
	for items > 2 && over(u.Points, items*GroupedThreads/columns)*over(u.Run, columns) < MostGroups/4 {
		items /= 2
	}
	return items * GroupedThreads / columns, columns
}

// Tiles returns the numbers of tiles of points, and of columns.
func (u *UpdateGrouped) Tiles() (points, columns int64) {
	p, c := u.Tile()
	return over(u.Points, p), over(u.Run, c)
}

// Replaces reports whether points do not read the elements that they change.
func (u *Update) Replaces() bool {
	replaces := true
	u.Kernel.Body.Walk(func(s ir.Stmt) {
		if l, ok := s.(*ir.Load); ok && l.At.Buffer == u.Store.Buffer {
			replaces = false
		}
	})
	return replaces
}

// fewUpdates is the number of points of an update up to which they run in sequence on one group,
// rather than being sorted.
const fewUpdates = 64

// UpdateOf returns how a device runs an update. The operands are the buffers of its kernel and
// the array that is changed; the result is the changed array.
func UpdateOf(s *fuse.Update, d Device) *Sequence {
	n := &Sequence{device: d}
	buffers := Operands(len(s.Buffers))
	n.copy(operand(len(buffers)), result(0))
	u := NewUpdate(s.Kernel)
	switch {
	case !s.Ordered:
		n.Run(s.Kernel, buffers...)
	case !d.Small() && u.Adds(d.known().Adds):
		n.Run(&UpdateAtOnce{u}, buffers...)
	case d.Small() || u.Points <= fewUpdates || u.Points >= 1<<31 || u.Run > 1 && !separate(s):
		n.Run(&UpdateInOrder{u}, buffers...)
	default:
		s := n.newSorter(u.Key(), 1, u.Points)
		n.Run(&UpdateKeys{u}, append(Operands(len(buffers)), s.now.keys, s.now.places)...)
		s.sort(0, u.KeyBits(), true)
		var last Kernel = &UpdateGrouped{Update: u}
		if u.Replaces() {
			last = &UpdateLast{u}
		}
		n.Run(last, append(buffers, s.now.keys, s.now.places)...)
	}
	return n
}

// separate reports whether two windows of a scatter are the same elements or have none in common: along the axes
// where they begin anywhere they are as wide as one element or as the operand.
func separate(s *fuse.Update) bool {
	q, ok := s.Eqn.Prim.(indexed.ScatterP)
	if !ok {
		return false
	}
	x, u := s.Eqn.Ins[0].Aval().Shape, s.Eqn.Ins[2].Aval().Shape
	window := 0
	for i := range x.Len() {
		size := 1
		if !q.InsertedWindowDims.Has(i) && !q.OperandBatchingDims.Has(i) {
			size = u.At(q.UpdateWindowDims.At(window))
			window++
		}
		if size != 1 && q.ScatterDimsToOperandDims.Has(i) && size != x.At(i) {
			return false
		}
	}
	return true
}
