package pjrt

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/weft-go/weft/jaxpr"
)

// How XLA has cut the results of a program is read from the optimized program, a protocol buffer of
// type HloModuleProtoWithConfig. Only a few of its fields are read.

var errProto = errors.New("the optimized program is no message of protocol buffers that is known; use another version of the plugin")

// proto calls f with the number of each field of a message and its value or bytes. Values of fixed size
// are skipped: f gets 0.
func proto(b []byte, f func(number int, value uint64, data []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errProto
		}
		b = b[n:]
		var value uint64
		var data []byte
		switch key & 7 {
		case 0:
			if value, n = binary.Uvarint(b); n <= 0 {
				return errProto
			}
		case 1:
			n = 8
		case 5:
			n = 4
		case 2:
			size, k := binary.Uvarint(b)
			if k <= 0 || size > uint64(len(b)-k) {
				return errProto
			}
			data, n = b[k:k+int(size)], k+int(size)
		default:
			return errProto
		}
		if n > len(b) {
			return errProto
		}
		if err := f(int(key>>3), value, data); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// numbers appends the values of a repeated field, packed or not.
func numbers(list []int, value uint64, data []byte) ([]int, error) {
	if data == nil {
		return append(list, int(value)), nil
	}
	for len(data) > 0 {
		x, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, errProto
		}
		list, data = append(list, int(x)), data[n:]
	}
	return list, nil
}

// sharding is how XLA cuts an array, or the arrays of a tuple.
type sharding struct {
	kind                 int
	tiles, devices       []int // the number of pieces along each axis; the devices of the pieces, in order
	reshaped, transposed []int // or, if devices is empty: they are 0, 1, …, reshaped and then transposed
	tuple                []sharding
	copies               bool // tiles ends with an axis along which pieces are copies
	more                 int  // the number of further axes at the end of tiles
	unknown              bool // it has fields of a newer version
}

const (
	shardReplicated = 0
	shardTuple      = 2
	shardOther      = 3
)

func readSharding(b []byte) (s sharding, err error) {
	err = proto(b, func(number int, value uint64, data []byte) (err error) {
		switch number {
		case 1:
			s.kind = int(value)
		case 3:
			s.tiles, err = numbers(s.tiles, value, data)
		case 4:
			s.devices, err = numbers(s.devices, value, data)
		case 5:
			var x sharding
			x, err = readSharding(data)
			s.tuple = append(s.tuple, x)
		case 6:
			s.copies = value != 0
		case 8:
			var list []int
			list, err = numbers(nil, value, data)
			s.more += len(list)
		case 9:
			s.reshaped, err = numbers(s.reshaped, value, data)
		case 10:
			s.transposed, err = numbers(s.transposed, value, data)
		case 7: // metadata
		default:
			s.unknown = s.unknown || number > 13
		}
		return err
	})
	return s, err
}

// resultSharding returns the sharding of the results of a HloModuleProtoWithConfig; ok is false if it has none.
func resultSharding(b []byte) (s sharding, ok bool, err error) {
	err = proto(b, func(number int, _ uint64, module []byte) error {
		if number != 1 { // hlo_module
			return nil
		}
		return proto(module, func(number int, _ uint64, data []byte) (err error) {
			if number == 12 { // spmd_output_sharding
				ok = true
				s, err = readSharding(data)
			}
			return err
		})
	})
	return s, ok, err
}

// order returns the devices of the pieces, in order. It returns nil if s does not list them and its reshaped
// and transposed do not describe n devices.
func (s sharding) order(n int) []int {
	if len(s.devices) > 0 {
		return s.devices
	}
	all := 1
	for _, k := range s.reshaped {
		all *= k
	}
	if all != n || len(s.transposed) != len(s.reshaped) {
		return nil
	}
	strides := make([]int, len(s.reshaped))
	for i, stride := len(strides)-1, 1; i >= 0; i-- {
		strides[i] = stride
		stride *= s.reshaped[i]
	}
	out := []int{0}
	for _, axis := range s.transposed {
		if axis < 0 || axis >= len(strides) {
			return nil
		}
		var next []int
		for _, o := range out {
			for k := range s.reshaped[axis] {
				next = append(next, o+k*strides[axis])
			}
		}
		out = next
	}
	return out
}

// spec returns the spec by which s cuts an array of this rank on a mesh. ok is false if there is none,
// for example because a part of an axis of the mesh cuts the array.
func (s sharding) spec(m jaxpr.Mesh, rank int) (spec jaxpr.Spec, ok bool) {
	if s.unknown {
		return nil, false
	}
	if s.kind == shardReplicated {
		return nil, true
	}
	n, pieces := sizeOf(m), 1
	for _, k := range s.tiles {
		pieces *= k
	}
	order := s.order(n)
	behind := s.more
	if s.copies {
		behind++
	}
	if s.kind != shardOther || pieces != n || len(order) != n || len(s.tiles) != rank+behind {
		return nil, false
	}
	tile := make([][]int, n) // the position of each device's tile along each axis
	for at, device := range order {
		if device < 0 || device >= n {
			return nil, false
		}
		index := make([]int, len(s.tiles))
		for i, rest := len(s.tiles)-1, at; i >= 0; i-- {
			index[i], rest = rest%s.tiles[i], rest/s.tiles[i]
		}
		tile[device] = index
	}
	strides := make([]int, len(m.Axes)) // of the numbers of devices
	for i, stride := len(m.Axes)-1, 1; i >= 0; i-- {
		strides[i] = stride
		stride *= m.Axes[i].Size
	}
	for i := range rank {
		var cutting []int // axes of the mesh
		step := make([]int, len(m.Axes))
		for k, a := range m.Axes {
			if a.Size > 1 && tile[0] != nil && tile[strides[k]] != nil {
				if step[k] = tile[strides[k]][i] - tile[0][i]; step[k] != 0 {
					cutting = append(cutting, k)
				}
			}
		}
		slices.SortFunc(cutting, func(x, y int) int { return step[y] - step[x] })
		var names []string
		for _, k := range cutting {
			names = append(names, m.Axes[k].Name)
		}
		for device := range n {
			at, want := coordinates(m, device), 0
			for _, k := range cutting {
				want = want*m.Axes[k].Size + at[k]
			}
			if tile[device] == nil || tile[device][i] != want {
				return nil, false
			}
		}
		spec = append(spec, names)
	}
	return spec, true
}
