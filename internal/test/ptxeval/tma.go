package ptxeval

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// mapWords is the size of a tensor map among the parameters.
const mapWords = 16

// A tensorMap is what a parameter describes: see EncodeMap.
type tensorMap struct {
	address       uint64
	rank, size    int
	dims, strides [5]int64
	box           [5]int64
}

// EncodeMap returns the words of a tensor map that the evaluator reads, as the driver's
// function would encode one. Strides are in bytes, of all axes but the first.
func EncodeMap(address uint64, size, rank int, dims [5]uint64, strides [4]uint64, box [5]uint32) (words [mapWords]uint64) {
	words[0], words[1], words[2] = address, uint64(rank), uint64(size)
	copy(words[3:], dims[:])
	copy(words[8:], strides[:])
	for i, b := range box[:4] {
		words[12+i] = uint64(b)
	}
	return words
}

func decodeMap(w []uint64) tensorMap {
	m := tensorMap{address: w[0], rank: int(w[1]), size: int(w[2])}
	for i := range m.rank {
		m.dims[i] = int64(w[3+i])
		m.box[i] = 1
		if i < 4 {
			m.box[i] = int64(w[12+i])
		}
		if i > 0 {
			m.strides[i] = int64(w[7+i])
		}
	}
	m.strides[0] = int64(m.size)
	return m
}

// copyTile starts the copy of a tile of a tensor map, exchanged in blocks of 1024 bytes.
func copyTile(v *machine, t *thread, in *inst) error {
	rank := int(in.op[4][0] - '0')
	name := strings.Join(in.op, ".")
	want := 1 + 1 + rank + 1
	if len(in.args) != want {
		return bugf("%s takes %d operands, got %d", name, want, len(in.args))
	}
	at := v.addressOf(t, &in.args[0])
	index := v.value(t, &in.args[1])
	bar, err := v.barrierAt(t, &in.args[2+rank])
	if err != nil {
		return err
	}
	if !bar.visible {
		return bugf("a copy uses a barrier without a fence after its initialization")
	}
	if index >= uint64(len(v.e.maps)) {
		return bugf("there is no tensor map %d", index)
	}
	first := (v.e.params + 7) / 8 * 8
	m := decodeMap(v.params[first+int(index)*mapWords:])
	if m.rank != rank {
		return bugf("a tile of %d axes of a map of %d", rank, m.rank)
	}
	var corner [5]int64
	for i := range rank {
		corner[i] = int64(int32(v.value(t, &in.args[2+i])))
	}
	c := &copying{at: int64(at & offsetMask), barrier: int64(v.addressOf(t, &in.args[2+rank]) & offsetMask), low: math.MaxUint64}
	if err := v.tile(t, &m, corner, c); err != nil {
		return err
	}
	n := int64(len(c.data))
	switch {
	case v.fault != nil:
		return v.fault
	case c.at+n > int64(len(v.shared)):
		return bugf("byte %d of shared memory of %d", c.at, len(v.shared))
	case c.at%1024 != 0:
		return bugf("a tile at byte %d, which is not aligned to 1024", c.at)
	}
	if err := v.replaces(c.at, n); err != nil {
		return err
	}
	poison(v.shared[c.at : c.at+n])
	a := v.async()
	a.flying = append(a.flying, c)
	v.sources++
	return nil
}

// replaces returns an error if a copy must not write to the memory yet.
func (v *machine) replaces(at, n int64) error {
	a := v.async()
	if err := a.copied(at, n); err != nil {
		return err
	}
	if err := v.multiplied(at, n); err != nil {
		return err
	}
	for i := at; i < at+n; i++ {
		switch {
		case a.barriers[i] != nil:
			return bugf("a copy writes byte %d of shared memory, where a barrier is", i)
		case a.direct.by(i) != 0:
			return bugf("a copy writes byte %d of shared memory, which a thread wrote to: there is no fence between them", i)
		case v.marks.used(i, v.when.epoch):
			return bugf("a copy writes byte %d of shared memory, which a thread used with no barrier between", i)
		}
	}
	return nil
}

// tile sets the elements of a tile, zeros outside of the array, with the pieces of 16
// bytes of each 128 exchanged by the number of the line.
func (v *machine) tile(t *thread, m *tensorMap, corner [5]int64, c *copying) error {
	n := int64(m.size)
	for i := range m.rank {
		n *= m.box[i]
	}
	data := make([]byte, n)
	if m.box[0]*int64(m.size) != 128 {
		return bugf("lines of %d bytes, want 128", m.box[0]*int64(m.size))
	}
	in := &inst{space: "global", bytes: m.size}
	for k := range n / int64(m.size) {
		rest, address, inside := k, m.address, true
		for i := range m.rank {
			x := corner[i] + rest%m.box[i]
			rest /= m.box[i]
			inside = inside && x >= 0 && x < m.dims[i]
			address += uint64(x * m.strides[i])
		}
		if !inside {
			continue
		}
		b := v.place(t, in, address, m.size, simt.Reads)
		if v.fault != nil {
			return v.fault
		}
		c.low, c.high = min(c.low, address), max(c.high, address+uint64(m.size))
		at := k * int64(m.size)
		line := at / 128
		at ^= line % 8 * 16
		if m.size == 4 { // rounded to tf32
			x, _ := toTF32(false)(uint64(binary.LittleEndian.Uint32(b)), 0, 0)
			binary.LittleEndian.PutUint32(data[at:], uint32(x))
			continue
		}
		copy(data[at:], b)
	}
	c.data = data
	return nil
}

// deliver completes a copy, the first of those to a barrier that a thread waits for: copies may
// be done in any order, so that no other wait is for this one.
func (v *machine) deliver() bool {
	a := v.async()
	for i, c := range a.flying {
		if !v.awaited(c.barrier) {
			continue
		}
		a.flying = slices.Delete(a.flying, i, i+1)
		v.sources--
		copy(v.shared[c.at:], c.data)
		b := a.barriers[c.barrier]
		b.bytes -= int64(len(c.data))
		b.settle()
		return true
	}
	return false
}

// awaited reports whether a thread waits for a barrier.
func (v *machine) awaited(barrier int64) bool {
	for i := range v.threads {
		if t := &v.threads[i]; !t.done && t.spins && t.barrier == barrier {
			return true
		}
	}
	return false
}

// RunTensor runs the entry of a function on tensor cores as [Module.Run] does.
func (m *Module) RunTensor(name string, groups int, buffers [][]byte, f *simt.Func) error {
	maps := f.Maps()
	var params []uint64
	var regions []*Region
	for i, b := range buffers {
		regions = append(regions, &Region{Base: uint64(i+1) << bufferShift, Data: b})
		params = append(params, regions[i].Base)
	}
	for len(maps) > 0 && len(params)%8 != 0 {
		params = append(params, 0)
	}
	for _, t := range maps {
		w := EncodeMap(regions[t.Buffer].Base+uint64(t.Offset), t.Kind.Size(), t.Rank, t.Dims, t.Strides, t.Box)
		params = append(params, w[:]...)
	}
	return m.RunAt(name, groups, f.DynamicBytes(), params, func(address uint64) *Region {
		if n := int(address >> bufferShift); n > 0 && n <= len(regions) {
			return regions[n-1]
		}
		return nil
	})
}
