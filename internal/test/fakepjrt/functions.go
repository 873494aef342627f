//go:build (linux || darwin) && (amd64 || arm64)

package fakepjrt

import (
	"context"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

type (
	client   struct{}
	topology struct{}
	event    struct{}
	buffer   struct {
		array *runtime.Array
		bits  int32
	}
	executable struct {
		text  string
		j     *jaxpr.Jaxpr
		types []int32
		dims  []int64
		ranks []uintptr
		cut   []bool // the arguments whose first axis is cut
		out   bool   // the results' first axes are cut
	}
	serialized struct{ text []byte }
)

// The plugin has two devices. Their handles are no objects: they live as long as the client.
var devices = [2]uintptr{0x10, 0x18}

var kind = []byte("pretended")

// elements are the element types, by their numbers.
var elements = map[int32]core.DType{1: core.Bool, 4: core.Int32, 8: core.Uint32, 11: core.Float32, 12: core.Float64}

func elementOf(dt core.DType) int32 {
	for n, d := range elements {
		if d == dt {
			return n
		}
	}
	return 0
}

// at reads n values at an address.
func at[T any](address, n uintptr) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice(*(**T)(unsafe.Pointer(&address)), n)
}

func address[T any](list []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(list))) }

// sizes are the least sizes of structs.
var sizes = map[string]uintptr{
	"Client_Create": 88, "Client_Compile": 56, "Client_BufferFromHostBuffer": 120, "LoadedExecutable_Execute": 80, "Buffer_ToHostBuffer": 56,
	"Executable_Serialize": 56, "Executable_DeserializeAndLoad": 64, "Buffer_CopyToDevice": 40, "Executable_OutputElementTypes": 40, "Executable_OutputDimensions": 48,
	"Device_MemoryStats": 185, "Executable_OptimizedProgram": 32, "Executable_GetCompiledMemoryStats": 112, "Event_Await": 24, "Error_GetCode": 28, "Error_Message": 40,
	"TopologyDescription_Create": 56, "Compile": 64,
}

// do executes a function. It returns the text of an error.
func (p *Plugin) do(name string, w frame) string {
	if want := sizes[name]; w[0] < max(want, 16) {
		return fmt.Sprintf("%s has an argument of %d bytes, want %d", name, w[0], want)
	}
	switch name {
	case "Plugin_Initialize", "Event_Await":
		if name == "Event_Await" {
			if _, ok := p.get(w[2]).(*event); !ok {
				return "there is no such event"
			}
		}
	case "Plugin_Attributes":
		w[2], w[3] = 0, 0
	case "Error_Message":
		e := p.get(w[2]).(*failure)
		w[3], w[4] = address(e.text), uintptr(len(e.text))
	case "Error_GetCode":
		*(*int32)(unsafe.Pointer(&w[3])) = p.get(w[2]).(*failure).code
	case "Error_Destroy", "Event_Destroy", "Client_Destroy", "Executable_Destroy", "LoadedExecutable_Destroy", "Buffer_Destroy", "TopologyDescription_Destroy":
		return p.free(w[2])
	case "Client_Create":
		if w[4] != 0 {
			if text := p.share(w); text != "" {
				return text
			}
		}
		w[8] = p.add(&client{})
	case "Client_PlatformName":
		w[3], w[4] = address(p.Platform), uintptr(len(p.Platform))
	case "Client_PlatformVersion", "DeviceDescription_Kind":
		w[3], w[4] = address(kind), uintptr(len(kind))
	case "Client_AddressableDevices":
		w[3], w[4] = uintptr(unsafe.Pointer(&devices)), 2
	case "Device_GetDescription":
		w[3] = w[2]
	case "DeviceDescription_Id":
		*(*int32)(unsafe.Pointer(&w[3])) = int32(w[2]-devices[0]) / 8
	case "Device_MemoryStats":
		w[3] = 1 << 20
	case "Client_Compile":
		program := at[uintptr](w[3], 6)
		return p.load(string(at[byte](program[2], program[3])), &w[6])
	case "TopologyDescription_Create":
		w[6] = p.add(&topology{})
	case "Compile":
		if _, ok := p.get(w[2]).(*topology); !ok || w[6] != 0 {
			return "there is no such topology, or there is a client"
		}
		program := at[uintptr](w[3], 6)
		return p.load(string(at[byte](program[2], program[3])), &w[7])
	case "Executable_DeserializeAndLoad":
		if w[6] != 0 || w[7] != 0 {
			return "the options of the program are overridden by what stands behind the argument"
		}
		return p.load(string(at[byte](w[3], w[4])), &w[5])
	case "LoadedExecutable_GetExecutable":
		w[3] = p.add(p.get(w[2]).(*executable))
	case "Executable_NumOutputs":
		w[3] = uintptr(len(p.get(w[2]).(*executable).types))
	case "Executable_OutputElementTypes":
		x := p.get(w[2]).(*executable)
		w[3], w[4] = address(x.types), uintptr(len(x.types))
	case "Executable_OutputDimensions":
		x := p.get(w[2]).(*executable)
		w[3], w[4], w[5] = uintptr(len(x.types)), address(x.dims), address(x.ranks)
	case "Executable_OptimizedProgram":
		optimized(p.get(w[2]).(*executable), at[uintptr](w[3], 6))
	case "Executable_GetCompiledMemoryStats":
		w[7] = 64
	case "Executable_Serialize":
		s := &serialized{[]byte(p.get(w[2]).(*executable).text)}
		w[3], w[4], w[5], w[6] = address(s.text), uintptr(len(s.text)), p.add(s), deleter()
	case "Client_BufferFromHostBuffer":
		return p.upload(w)
	case "Buffer_ToHostBuffer":
		data := p.get(w[2]).(*buffer).array.Tensor().Data
		if copy(at[byte](w[4], w[5]), data) < len(data) {
			return "the memory is too small"
		}
		w[6] = p.add(&event{})
	case "Buffer_ReadyEvent":
		w[3] = p.add(&event{})
	case "Buffer_CopyToDevice":
		w[4] = p.add(p.get(w[2]).(*buffer))
	case "LoadedExecutable_Execute":
		return p.execute(w)
	default:
		return "there is no function " + name
	}
	return ""
}

// load reads a program and writes its handle.
func (p *Plugin) load(text string, handle *uintptr) string {
	m, err := stablehlo.Parse("", text)
	if err != nil {
		return err.Error()
	}
	types, err := m.Avals(m.Main())
	if err != nil {
		return err.Error()
	}
	prog, err := m.Program(m.Main(), types, stablehlo.Options{Array: func(t core.ShapedArray) (core.Value, []byte) {
		a := runtime.New(t)
		return a, a.Tensor().Data
	}})
	if err != nil {
		return err.Error()
	}
	x := &executable{text: text, j: prog.Jaxpr}
	head, results, _ := strings.Cut(text[:strings.Index(text, ") {\n")], ") -> (")
	for _, arg := range strings.Split(head, "%")[1:] {
		x.cut = append(x.cut, strings.Contains(arg, `[{"x"}]`))
	}
	x.out = slices.Contains(x.cut, true) && !strings.Contains(results, "sdy.sharding")
	for _, a := range x.j.OutAvals() {
		x.types = append(x.types, elementOf(a.DType))
		x.ranks = append(x.ranks, uintptr(a.Rank()))
		for i, n := range a.Shape.Ints() {
			if x.out && i == 0 {
				n /= len(devices)
			}
			x.dims = append(x.dims, int64(n))
		}
	}
	*handle = p.add(x)
	return ""
}

// upload makes a buffer of elements in host memory.
func (p *Plugin) upload(w frame) string {
	element := int32(w[4])
	dt, ok := elements[element]
	if !ok {
		return fmt.Sprintf("there is no element type %d", element)
	}
	var dims []int
	for _, n := range at[int64](w[5], w[6]) {
		dims = append(dims, int(n))
	}
	a := runtime.New(core.Aval(dt, dims...))
	copy(a.Tensor().Data, at[byte](w[3], uintptr(len(a.Tensor().Data))))
	w[13], w[14] = p.add(&event{}), p.add(&buffer{a, element})
	return ""
}

// execute runs a program, on the arguments of all devices if it is divided.
func (p *Plugin) execute(w frame) string {
	x := p.get(w[2]).(*executable)
	lists := at[uintptr](w[4], w[5])
	args := make([]*runtime.Array, w[6])
	for k, list := range lists {
		for i, h := range at[uintptr](list, w[6]) {
			b, ok := p.get(h).(*buffer)
			if !ok {
				return fmt.Sprintf("an argument is %#x, which is no buffer", h)
			}
			switch {
			case k == 0:
				args[i] = b.array
			case x.cut[i]:
				args[i] = joined(args[i], b.array)
			}
		}
	}
	outs, err := runtime.Evaluate(context.Background(), runtime.Reference, x.j, args)
	if err != nil {
		return err.Error()
	}
	for k, list := range at[uintptr](w[7], w[5]) {
		results := at[uintptr](list, uintptr(len(outs)))
		for i, a := range outs {
			if x.out {
				a = piece(a, k, len(lists))
			}
			results[i] = p.add(&buffer{a, elementOf(a.Aval().DType)})
		}
		if w[8] != 0 {
			at[uintptr](w[8], w[5])[k] = p.add(&event{})
		}
	}
	return ""
}

// joined returns arrays one behind the other.
func joined(a, b *runtime.Array) *runtime.Array {
	dims := a.Aval().Shape.Ints()
	dims[0] += b.Aval().Shape.At(0)
	c := runtime.New(core.Aval(a.Aval().DType, dims...))
	copy(c.Tensor().Data[copy(c.Tensor().Data, a.Tensor().Data):], b.Tensor().Data)
	return c
}

// piece returns piece k of n pieces of an array.
func piece(a *runtime.Array, k, n int) *runtime.Array {
	dims := a.Aval().Shape.Ints()
	dims[0] /= n
	c := runtime.New(core.Aval(a.Aval().DType, dims...))
	copy(c.Tensor().Data, a.Tensor().Data[k*len(c.Tensor().Data):])
	return c
}

var optimizedFormat = []byte("hlo_with_config")

// optimized writes what XLA tells of a program as far as it is read: how the results are cut, whole or
// in two pieces.
func optimized(x *executable, program []uintptr) {
	cut := []byte{1 << 3, 0} // replicated
	if x.out {
		cut = []byte{1 << 3, 3, 3<<3 | 2, 1, 2, 4<<3 | 2, 2, 0, 1} // other: 2 tiles, of devices 0 and 1
	}
	module := append([]byte{12<<3 | 2, byte(len(cut))}, cut...)
	code := append([]byte{1<<3 | 2, byte(len(module))}, module...)
	program[4], program[5] = address(optimizedFormat), uintptr(len(optimizedFormat))
	if program[2] == 0 {
		program[3] = uintptr(len(code))
		return
	}
	copy(at[byte](program[2], program[3]), code)
}

// deleter frees what a program was serialized to.
var deleter = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(h uintptr) uintptr {
		current.Lock()
		p := current.Plugin.owner(h)
		current.Unlock()
		p.free(h)
		return 0
	})
})

// fails is the function by which a store makes an error of the plugin.
var fails = sync.OnceValue(func() *uintptr {
	f := purego.NewCallback(func(code, text, size uintptr) uintptr {
		current.Lock()
		p := current.Plugin
		current.Unlock()
		return p.add(&failure{int32(code), slices.Clone(at[byte](text, size))})
	})
	return &f
})

// share writes a value to the store of a client, and reads it in both ways; another key has none.
func (p *Plugin) share(w frame) string {
	key, value, none := []byte("fake"), []byte("here"), []byte("none")
	call := func(f uintptr, words *[10]uintptr) string {
		h, _, _ := purego.SyscallN(f, uintptr(unsafe.Pointer(words)))
		if h == 0 {
			return ""
		}
		e := p.get(h).(*failure)
		p.free(h)
		return fmt.Sprintf("%d: %s", e.code, e.text)
	}
	free := func(read, size, deleter uintptr) {
		if string(at[byte](read, size)) == string(value) {
			p.mu.Lock()
			p.calls["values"]++
			p.mu.Unlock()
		}
		purego.SyscallN(deleter, read)
	}
	fail := uintptr(unsafe.Pointer(fails()))
	put := &[10]uintptr{64, 0, address(key), 4, address(value), 4, fail, w[7]}
	if text := call(w[6], put); text != "" {
		return text
	}
	get := &[10]uintptr{80, 0, address(key), 4, 1000, fail, w[5]}
	if text := call(w[4], get); text != "" {
		return text
	}
	free(get[7], get[8], get[9])
	try := &[10]uintptr{72, 0, address(key), 4, fail, w[10]}
	if text := call(w[9], try); text != "" {
		return text
	}
	free(try[6], try[7], try[8])
	try = &[10]uintptr{72, 0, address(none), 4, fail, w[10]}
	if text := call(w[9], try); !strings.HasPrefix(text, "5: ") {
		return "a key without a value is not reported as such: " + text
	}
	goruntime.KeepAlive(key)
	goruntime.KeepAlive(value)
	goruntime.KeepAlive(none)
	return ""
}
