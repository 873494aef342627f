package capi

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"
)

// A Value is a named value: a string, an int64, a []int64, a float32 or a bool.
type Value struct {
	Name  string
	Value any
}

// namedValue is a [Value] in the memory layout of the interface.
type namedValue struct {
	base
	name     *byte
	nameSize uintptr
	kind     int32
	value    uint64 // or a pointer, a float or a bool
	size     uintptr
}

// sizeOfNamed is the size of a named value, also as an element of a list.
const sizeOfNamed = unsafe.Sizeof(namedValue{})

const (
	kindString = iota
	kindInt64
	kindInt64s
	kindFloat
	kindBool
)

// get returns the value that v represents; ok is false if its kind is unknown.
func (v *namedValue) get() (x Value, ok bool) {
	x.Name = text(v.name, v.nameSize)
	p := unsafe.Pointer(&v.value)
	switch v.kind {
	case kindString:
		x.Value = text(*(**byte)(p), v.size)
	case kindInt64:
		x.Value = *(*int64)(p)
	case kindInt64s:
		if list := *(**int64)(p); list != nil {
			x.Value = append([]int64(nil), unsafe.Slice(list, v.size)...)
		} else {
			x.Value = []int64(nil)
		}
	case kindFloat:
		x.Value = *(*float32)(p)
	case kindBool:
		x.Value = *(*bool)(p)
	default:
		return x, false
	}
	return x, true
}

type initializeArgs struct{ base }

// Initialize prepares the plugin. It is called once, before other functions.
func (a *API) Initialize() error {
	return a.call(PluginInitialize, uintptr(unsafe.Pointer(&initializeArgs{base{size: unsafe.Sizeof(initializeArgs{})}})))
}

type attributesArgs struct {
	base
	list *namedValue
	n    uintptr
}

// Attributes returns what the plugin tells about itself, such as versions of XLA and of StableHLO.
func (a *API) Attributes() ([]Value, error) {
	if !a.Has(PluginAttributes) {
		return nil, nil
	}
	args := &attributesArgs{base: base{size: unsafe.Sizeof(attributesArgs{})}}
	if err := a.call(PluginAttributes, uintptr(unsafe.Pointer(args))); err != nil {
		return nil, err
	}
	if args.list == nil || args.n == 0 {
		return nil, nil
	}
	if args.list.base.size != sizeOfNamed {
		return nil, fmt.Errorf("%v returned elements of %d bytes (want %d); use another version of the plugin", PluginAttributes, args.list.base.size, sizeOfNamed)
	}
	var out []Value
	list := unsafe.Slice(args.list, args.n)
	for i := range list {
		if v, ok := list[i].get(); ok {
			out = append(out, v)
		}
	}
	return out, nil
}

type clientArgs struct {
	base
	options   *namedValue
	n         uintptr
	get       uintptr
	getArg    uintptr
	put       uintptr
	putArg    uintptr
	client    uintptr
	tryGet    uintptr
	tryGetArg uintptr
}

// namedValues returns options in the memory layout of the interface. The list contains some pointers as
// numbers, which the collector does not see: keep contains them as pointers.
func namedValues(options []Value) (list []namedValue, keep []unsafe.Pointer, err error) {
	list = make([]namedValue, len(options))
	for i, o := range options {
		v := &list[i]
		v.base.size = sizeOfNamed
		name := []byte(o.Name)
		v.name, v.nameSize, v.size = (*byte)(pointer(name)), uintptr(len(name)), 1
		p := unsafe.Pointer(&v.value)
		switch x := o.Value.(type) {
		case string:
			data := []byte(x)
			v.kind, v.size = kindString, uintptr(len(data))
			keep = append(keep, pointer(data))
			v.value = uint64(uintptr(pointer(data)))
		case int64:
			v.kind = kindInt64
			*(*int64)(p) = x
		case []int64:
			v.kind, v.size = kindInt64s, uintptr(len(x))
			numbers := unsafe.Pointer(unsafe.SliceData(append(slices.Clone(x), 0)))
			keep = append(keep, numbers)
			v.value = uint64(uintptr(numbers))
		case float32:
			v.kind = kindFloat
			*(*float32)(p) = x
		case bool:
			v.kind = kindBool
			*(*bool)(p) = x
		default:
			return nil, nil, fmt.Errorf("option %s is a %T; pass a string, int64, []int64, float32 or bool", o.Name, x)
		}
	}
	return list, keep, nil
}

// NewClient creates a client. Values of options have one of the types of [Value]. The processes of the
// client share the store, which is nil for a client of one process.
func (a *API) NewClient(options []Value, store Store) (Handle, error) {
	list, keep, err := namedValues(options)
	if err != nil {
		return 0, err
	}
	args := &clientArgs{base: base{size: unsafe.Sizeof(clientArgs{})}, options: unsafe.SliceData(list), n: uintptr(len(list))}
	if store != nil {
		n := args.share(store)
		defer func() { bound(n, Handle(args.client)) }()
	}
	err = a.call(ClientCreate, uintptr(unsafe.Pointer(args)))
	runtime.KeepAlive(keep)
	if err == nil && args.client == 0 {
		err = ClientCreate.without("a client")
	}
	return Handle(args.client), err
}

// one is the argument of functions that take one object.
type one struct {
	base
	object uintptr
}

// destroy frees an object by the function f; 0 is no object.
func (a *API) destroy(f Function, h Handle) error {
	if h == 0 {
		return nil
	}
	return a.call(f, uintptr(unsafe.Pointer(&one{base{size: unsafe.Sizeof(one{})}, uintptr(h)})))
}

// DestroyClient frees a client.
func (a *API) DestroyClient(c Handle) error {
	n := unbound(c) // another client may have its address at once
	err := a.destroy(ClientDestroy, c)
	bound(n, 0)
	return err
}

// textArgs is the argument of functions that return a text of an object.
type textArgs struct {
	base
	object uintptr
	text   *byte
	size   uintptr
}

func (a *API) text(f Function, h Handle) (string, error) {
	args := &textArgs{base: base{size: unsafe.Sizeof(textArgs{})}, object: uintptr(h)}
	err := a.call(f, uintptr(unsafe.Pointer(args)))
	return text(args.text, args.size), err
}

// PlatformName returns the name of a client's platform, such as cpu.
func (a *API) PlatformName(c Handle) (string, error) { return a.text(ClientPlatformName, c) }

// PlatformVersion describes the version of a client's platform; it is "" if the plugin cannot tell.
func (a *API) PlatformVersion(c Handle) (string, error) {
	if !a.Has(ClientPlatformVersion) {
		return "", nil
	}
	return a.text(ClientPlatformVersion, c)
}

type listArgs struct {
	base
	object uintptr
	list   *uintptr
	n      uintptr
}

// Devices returns the devices that a client reaches from this process.
func (a *API) Devices(c Handle) ([]Handle, error) {
	args := &listArgs{base: base{size: unsafe.Sizeof(listArgs{})}, object: uintptr(c)}
	if err := a.call(ClientAddressableDevices, uintptr(unsafe.Pointer(args))); err != nil || args.list == nil {
		return nil, err
	}
	out := make([]Handle, args.n)
	for i, h := range unsafe.Slice(args.list, args.n) {
		if h == 0 {
			return nil, ClientAddressableDevices.without(fmt.Sprintf("device %d", i))
		}
		out[i] = Handle(h)
	}
	return out, nil
}

type descriptionArgs struct {
	base
	device, description uintptr
}

type idArgs struct {
	base
	object uintptr
	id     int32
}

// Describe returns the number by which programs name a device, and its kind.
func (a *API) Describe(device Handle) (id int, kind string, err error) {
	d := &descriptionArgs{base: base{size: unsafe.Sizeof(descriptionArgs{})}, device: uintptr(device)}
	if err := a.call(DeviceGetDescription, uintptr(unsafe.Pointer(d))); err != nil {
		return 0, "", err
	}
	if d.description == 0 {
		return 0, "", DeviceGetDescription.without("a description")
	}
	n := &idArgs{base: base{size: 28}, object: d.description}
	if err := a.call(DeviceDescriptionID, uintptr(unsafe.Pointer(n))); err != nil {
		return 0, "", err
	}
	kind, err = a.text(DeviceDescriptionKind, Handle(d.description))
	return int(n.id), kind, err
}

type optionalInt struct {
	value int64
	set   bool
}

type statsArgs struct {
	base
	device uintptr
	inUse  int64
	// The plugin sets those that it knows. In bytes, but for count: the most in use, the number of allocations, the largest of them,
	// and the limit of what is in use; what is reserved, the most that was reserved, and its limit; the largest free block; the
	// allocator's pool, and its maximum.
	peak, count, largest, limit, reserved, peakReserved, reservable, free, pool, peakPool optionalInt
}

// MemoryStats returns the bytes in use on a device, their peak, and their limit. A value that the plugin
// does not report is −1.
func (a *API) MemoryStats(device Handle) (used, peak, limit int64, err error) {
	used, peak, limit = -1, -1, -1
	args := &statsArgs{base: base{size: unsafe.Offsetof(statsArgs{}.peakPool) + 9}, device: uintptr(device)}
	if err := a.call(DeviceMemoryStats, uintptr(unsafe.Pointer(args))); err != nil {
		return used, peak, limit, err
	}
	used = args.inUse
	if args.peak.set {
		peak = args.peak.value
	}
	if args.limit.set {
		limit = args.limit.value
	}
	return used, peak, limit, nil
}
