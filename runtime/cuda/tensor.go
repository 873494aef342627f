//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"

	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// TensorCores returns the device's units for products of rounded operands. wgmma or tcgen05 is among them only
// if the driver compiles it, which is tried once. A driver may want the target by name, or take it
// from the context alone.
func (d *driver) TensorCores() simt.TensorCores {
	d.tried.Do(func() {
		unit, name, target, text := &d.cores.WGMMA, "wgmma", uintptr(cu.Target90a), fmt.Sprintf(tried, "8.0", "sm_90a", "wgmma.fence.sync.aligned")
		if d.cores.TCGEN05 {
			unit, name, target, text = &d.cores.TCGEN05, "tcgen05", cu.Target100f, fmt.Sprintf(tried, "8.8", "sm_100f", "tcgen05.fence::after_thread_sync")
		}
		if !*unit {
			return
		}
		*unit = false
		for _, target := range []uintptr{target, 0} {
			err := d.within(func() error { _, err := d.l.Assemble(text, target); return err })
			if err == nil {
				*unit, d.accelerated, d.refused = true, target, nil
				return
			}
			if d.refused == nil {
				d.refused = fmt.Errorf("the driver does not compile %s: %w", name, err)
			}
		}
	})
	return d.cores
}

// tried is a kernel in which the version of PTX, a target, and an instruction that only this target has, are filled in.
const tried = `.version %s
.target %s
.address_size 64

.visible .entry tried(
	.param .u64 tried_0
)
.reqntid 128, 1, 1
{
	%s;
	ret;
}
`

// wgmmaVariable is an environment variable. If it is "off", all products on tensor cores use mma.sync, neither wgmma nor tcgen05.
const wgmmaVariable = "WEFT_CUDA_WGMMA"

// openTensorCores finds the tensor cores of a device of a compute capability. If the driver does not report the attributes that
// products on them need, they are not used.
func (d *driver) openTensorCores(capability int) {
	shared, err := d.l.Attribute(d.device, cu.SharedOptIn)
	if err != nil {
		return
	}
	processors, err := d.l.Attribute(d.device, cu.Multiprocessors)
	if err != nil {
		return
	}
	d.cores = simt.TensorCores{Shared: shared, Processors: processors}
	if d.l.CanSetShared() && shared >= simt.LeastTensorShared {
		d.cores.MMA = d.target >= 80
		if os.Getenv(wgmmaVariable) != "off" && d.l.TensorMaps() {
			d.cores.WGMMA = capability == 90 && d.version >= 12000                           // PTX 8.0 for sm_90a
			d.cores.TCGEN05 = (capability == 100 || capability == 103) && d.version >= 12090 // PTX 8.8 for sm_100f
		}
	}
}

// tile is a parameter that describes an operand to the device's copies: a tensor map, as it
// was encoded last, for an address.
type tile struct {
	buffer  int
	offset  uint64
	what    cu.Tile
	address uint64
	encoded cu.TensorMap
}

func (d *driver) kernelOf(f *simt.Func, m *module) *kernel {
	k := &kernel{Label: device.LabelOf(f), module: m, handle: m.handle, threads: f.Threads, limit: f.Resident * d.cores.Processors, resident: m.resident * d.cores.Processors}
	k.shared = f.DynamicBytes()
	kinds := map[simt.TensorKind]int{simt.TF32: cu.MapTF32, simt.BF16: cu.MapBF16, simt.F16: cu.MapF16}
	for _, m := range f.Maps() {
		k.maps = append(k.maps, tile{buffer: m.Buffer, offset: uint64(m.Offset), what: cu.Tile{Kind: kinds[m.Kind], Rank: m.Rank, Dims: m.Dims, Strides: m.Strides, Box: m.Box}})
	}
	return k
}

// groups returns the number of groups to launch if there is work for n groups.
func (k *kernel) groups(n int) int {
	if k.limit > 0 {
		n = min(n, k.limit)
	}
	return n
}

// aligned is the alignment of a tensor map among the parameters, in words.
const aligned = 8

// words returns the number of words of a kernel's parameters: n addresses and symbols, and then the tensor maps.
func (k *kernel) words(n int) int {
	if len(k.maps) == 0 {
		return n
	}
	return (n+aligned-1)/aligned*aligned + len(k.maps)*len(cu.TensorMap{})
}

// encode writes the tensor maps of a launch to the last words of its parameters.
func (d *driver) encode(k *kernel, words []uint64, buffers []device.Place) error {
	words = words[len(words)-len(k.maps)*len(cu.TensorMap{}):]
	for i := range k.maps {
		t := &k.maps[i]
		b := buffers[t.buffer]
		if address := uint64(b.Memory) + uint64(b.Offset) + t.offset; address != t.address {
			if err := d.l.EncodeTile(&t.encoded, &t.what, address); err != nil {
				return err
			}
			t.address = address
		}
		copy(words[i*len(t.encoded):], t.encoded[:])
	}
	return nil
}
