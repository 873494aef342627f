package stablehlo

import (
	"bytes"
	"hash/maphash"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// constantOp returns a literal, a number spread over a shape, or an array.
func constantOp(f *frame, o *op, in []core.Value) []core.Value {
	a, _ := f.attr(o, "value")
	var d *dense
	switch x := a.(type) {
	case denseAttr:
		d = x.dense
	case intAttr:
		t := f.oneResult(o)
		return []core.Value{core.Lit(core.IntNumber(x.val), t.elem)}
	default:
		f.fail(core.ErrCheck, "the value must be dense<…>; write the elements as dense<[1, 2]>")
	}
	av := d.aval(f.m.src)
	if d.isSplat() || av.Size() == 1 {
		buf := make([]byte, av.DType.Size())
		if d.isSplat() {
			one := d.one(f.m.src)
			copy(buf, one[:])
		} else {
			d.fill(f.m, buf)
		}
		if n, ok := elem.Get(buf, av.DType); ok {
			again := make([]byte, len(buf))
			elem.Put(again, n, av.DType)
			if string(again) == string(buf) || f.inner > 0 { // a NaN whose bits a literal would lose becomes an array, except in regions
				return []core.Value{prim.BroadcastInDim(core.Lit(n, av.DType), av.Shape, core.Dims{})}
			}
		}
	}
	if v, ok := f.consts[d]; ok {
		return []core.Value{v}
	}
	if av.Size() == 0 {
		d.fill(f.m, nil)
		return []core.Value{prim.Zeros(av)}
	}
	v := f.array(d, av)
	f.consts[d] = v
	return []core.Value{v}
}

// array returns a constant. The array has the memory into which its elements were decoded while the text was read, or
// else memory of its own.
func (t *translator) array(d *dense, a core.ShapedArray) core.Value {
	if buf := d.memory(t.m); buf != nil && t.opt.Share != nil {
		return t.shared(a, t.opt.Share(a, buf), buf)
	}
	v, buf := t.opt.Array(a)
	d.fill(t.m, buf)
	return t.shared(a, v, buf)
}

// content is a key for constants. Those of equal type and elements have equal keys.
type content struct {
	aval core.ShapedArray
	hash uint64
}

// arrayBytes is a constant with the memory of its elements.
type arrayBytes struct {
	v   core.Value
	buf []byte
}

var contentSeed = maphash.MakeSeed()

// shared returns an earlier constant with the elements of v, or v. In bytecode equal constants are stored once, in text
// wherever they are used.
func (t *translator) shared(a core.ShapedArray, v core.Value, buf []byte) core.Value {
	key := content{a, maphash.Bytes(contentSeed, buf)}
	for _, old := range t.contents[key] {
		if bytes.Equal(old.buf, buf) {
			return old.v
		}
	}
	t.contents[key] = append(t.contents[key], arrayBytes{v, buf})
	return v
}
