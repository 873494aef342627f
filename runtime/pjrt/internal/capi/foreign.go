package capi

import (
	"errors"
	"sync"
	"unsafe"
)

// The extension for foreign functions registers handlers, which programs call. A handler gets the
// memory of operands and results and the configuration of the call.

const foreign = 5 // kind of the extension

type foreignExtension struct {
	extension
	registerType, addData, register uintptr
}

type registerArgs struct {
	size         uintptr
	target       unsafe.Pointer
	targetSize   uintptr
	handler      uintptr
	platform     unsafe.Pointer
	platformSize uintptr
	traits       uint32
}

// frame is a call of a handler.
type frame struct {
	size    uintptr
	ext     *frameExtension
	api     *foreignAPI
	_       uintptr // its context
	stage   int32
	in, out buffers
	config  attributes
}

type frameExtension struct {
	_    uintptr // its size
	kind int32
	next *frameExtension
	meta *metadata
}

const metadataExtension = 1

type version struct {
	_, _         uintptr // its size, extensions
	major, minor int32
}

type metadata struct {
	_      uintptr // its size
	api    version
	traits uint32
}

type foreignAPI struct {
	_, _        uintptr // its size, extensions
	version     version
	_           uintptr
	createError uintptr
}

type buffers struct {
	size uintptr
	_    uintptr // extensions
	n    int64
	_    *int32 // kinds
	list **foreignBuffer
}

type foreignBuffer struct {
	size    uintptr
	_       uintptr // extensions
	element int32
	data    *byte
	rank    int64
	dims    *int64
}

type attributes struct {
	size  uintptr
	_     uintptr // extensions
	n     int64
	kinds *int32
	names **span
	list  **scalar
}

type span struct {
	p *byte
	n uintptr
}

type scalar struct {
	element int32
	value   *int64
}

const (
	executeStage = 3
	scalarKind   = 3
	int64Element = 5
)

// foreignBytes are the bytes of an element, by the number of its type.
var foreignBytes = map[int32]int64{
	1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 2, 8: 4, 9: 8, 10: 2, 11: 4, 12: 8, 15: 8, 16: 2, 18: 16,
	19: 1, 20: 1, 21: 1, 22: 1, 23: 1, 24: 1, 25: 1, 26: 1, 27: 1, 28: 1, 29: 1, 32: 1, 33: 1,
}

// errLayout is the error of a call whose structs are not those of the version that is known.
var errLayout = errors.New("the plugin calls foreign functions by structs of another version; use another version of the plugin")

func (b *buffers) memory() ([][]byte, error) {
	out := make([][]byte, b.n)
	if b.n == 0 {
		return out, nil
	}
	for i, x := range unsafe.Slice(b.list, b.n) {
		if x.size < unsafe.Sizeof(*x) {
			return nil, errLayout
		}
		n, ok := foreignBytes[x.element]
		if !ok {
			return nil, errors.New("an array has an element type that is not known; use another version of the plugin")
		}
		if x.rank > 0 {
			for _, d := range unsafe.Slice(x.dims, x.rank) {
				n *= d
			}
		}
		if n > 0 {
			out[i] = unsafe.Slice(x.data, n)
		}
	}
	return out, nil
}

// number returns the number that the configuration has under a name, an int64. It reports false if there is none.
func (a *attributes) number(name string) (int64, bool) {
	if a.n == 0 {
		return 0, false
	}
	kinds, names, list := unsafe.Slice(a.kinds, a.n), unsafe.Slice(a.names, a.n), unsafe.Slice(a.list, a.n)
	for i, s := range names {
		if text(s.p, s.n) == name && kinds[i] == scalarKind && list[i].element == int64Element {
			return *list[i].value, true
		}
	}
	return 0, false
}

// A handler answers calls with f. f gets the number that the call's configuration has under the name in the field number.
type handler struct {
	number  string
	f       func(number int64, in, out [][]byte) error
	explain func(err error) string
}

var handlers struct {
	sync.Mutex
	address uintptr
	handler
}

// Register registers f under a target's name for a platform. f gets the number that the configuration of
// the call has under name; explain returns the text of an error. A process has one function: later calls
// of Register must pass the same f, name and explain.
func (a *API) Register(target, platform, name string, f func(number int64, in, out [][]byte) error, explain func(err error) string) error {
	x := a.foreign()
	if x == nil || x.register == 0 {
		return errors.New("the plugin has no extension for foreign functions; use another one")
	}
	handlers.Lock()
	if handlers.address == 0 {
		handlers.handler = handler{name, f, explain}
		handlers.address = Callback(func(arg uintptr) uintptr { return handlers.serve(*(**frame)(unsafe.Pointer(&arg))) })
	}
	handlers.Unlock()
	t, p := []byte(target), []byte(platform)
	args := &registerArgs{size: 52, target: pointer(t), targetSize: uintptr(len(t)), handler: handlers.address, platform: pointer(p), platformSize: uintptr(len(p))}
	return a.Failure(PluginInitialize, a.raw(x.register, uintptr(unsafe.Pointer(args))))
}

//go:uintptrescapes
func (a *API) raw(f, args uintptr) uintptr { return invoke(f, args) }

// foreign returns the extension for foreign functions, nil if there is none.
func (a *API) foreign() *foreignExtension {
	for x, n := a.extensions, 0; x != nil && n < 100; x, n = x.next, n+1 {
		if x.kind == foreign && x.size >= unsafe.Sizeof(foreignExtension{}) {
			return (*foreignExtension)(unsafe.Pointer(x))
		}
	}
	return nil
}

// serve answers a call of the plugin. It returns 0 or an error created by the plugin.
func (h *handler) serve(f *frame) uintptr {
	for x := f.ext; x != nil; x = x.next {
		if x.kind == metadataExtension {
			x.meta.api.major, x.meta.api.minor = 0, f.api.version.minor // a plugin of another major version refuses the handler
			x.meta.traits = 0
			return 0
		}
	}
	if f.stage != executeStage {
		return 0
	}
	err := h.run(f)
	if err == nil {
		return 0
	}
	return f.api.fail(append([]byte(h.explain(err)), 0))
}

func (h *handler) run(f *frame) error {
	if f.size < unsafe.Sizeof(*f) || f.in.size != unsafe.Sizeof(f.in) || f.out.size != unsafe.Sizeof(f.out) || f.config.size != unsafe.Sizeof(f.config) {
		return errLayout
	}
	n, ok := f.config.number(h.number)
	if !ok {
		return errors.New("BUG: the call has no number")
	}
	in, err := f.in.memory()
	if err != nil {
		return err
	}
	out, err := f.out.memory()
	if err != nil {
		return err
	}
	return h.f(n, in, out)
}

type failArgs struct {
	size, ext uintptr
	message   unsafe.Pointer
	code      int32
}

// fail has the plugin create an error. The message ends with a zero byte.
func (a *foreignAPI) fail(message []byte) uintptr {
	return a.create(uintptr(unsafe.Pointer(&failArgs{size: 28, message: pointer(message), code: Internal})))
}

//go:uintptrescapes
func (a *foreignAPI) create(args uintptr) uintptr { return invoke(a.createError, args) }
