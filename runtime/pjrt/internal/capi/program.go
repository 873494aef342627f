package capi

import (
	"fmt"
	"unsafe"
)

type programStruct struct {
	base
	code       unsafe.Pointer
	size       uintptr
	format     unsafe.Pointer
	formatSize uintptr
}

type compileArgs struct {
	base
	client      uintptr
	program     *programStruct
	options     unsafe.Pointer
	optionsSize uintptr
	executable  uintptr
}

var format = []byte("mlir")

func programOf(module []byte) *programStruct {
	return &programStruct{base: base{size: unsafe.Sizeof(programStruct{})}, code: pointer(module), size: uintptr(len(module)), format: pointer(format), formatSize: uintptr(len(format))}
}

// Compile compiles a StableHLO module under options, which are a CompileOptionsProto.
func (a *API) Compile(client Handle, module, options []byte) (Handle, error) {
	args := &compileArgs{base: base{size: unsafe.Sizeof(compileArgs{})}, client: uintptr(client), options: pointer(options), optionsSize: uintptr(len(options)), program: programOf(module)}
	err := a.call(ClientCompile, uintptr(unsafe.Pointer(args)))
	if err == nil && args.executable == 0 {
		err = ClientCompile.without("a program")
	}
	return Handle(args.executable), err
}

type loadArgs struct {
	base
	client     uintptr
	code       unsafe.Pointer
	size       uintptr
	executable uintptr
	_          unsafe.Pointer // other options than those of Compile
	_          uintptr
}

// Load loads what Serialize returned.
func (a *API) Load(client Handle, code []byte) (Handle, error) {
	args := &loadArgs{base: base{size: unsafe.Sizeof(loadArgs{})}, client: uintptr(client), code: pointer(code), size: uintptr(len(code))}
	err := a.call(ExecutableDeserializeAndLoad, uintptr(unsafe.Pointer(args)))
	if err == nil && args.executable == 0 {
		err = ExecutableDeserializeAndLoad.without("a program")
	}
	return Handle(args.executable), err
}

// DestroyProgram frees a program that Compile or Load returned.
func (a *API) DestroyProgram(p Handle) error { return a.destroy(LoadedExecutableDestroy, p) }

type numberArgs struct {
	base
	object uintptr
	n      uintptr
}

// executable calls f with the PJRT_Executable of a loaded program, which describes it.
func (a *API) executable(program Handle, f func(Handle) error) error {
	args := &descriptionArgs{base: base{size: unsafe.Sizeof(descriptionArgs{})}, device: uintptr(program)}
	if err := a.call(LoadedExecutableGetExecutable, uintptr(unsafe.Pointer(args))); err != nil {
		return err
	}
	if args.description == 0 {
		return LoadedExecutableGetExecutable.without("a description")
	}
	err := f(Handle(args.description))
	if e := a.destroy(ExecutableDestroy, Handle(args.description)); err == nil {
		err = e
	}
	return err
}

type typesArgs struct {
	base
	executable uintptr
	types      *int32
	n          uintptr
}

type dimensionsArgs struct {
	base
	executable uintptr
	n          uintptr
	dims       *int64
	ranks      *uintptr
}

// A Type is an element type and the sizes of axes.
type Type struct {
	Element int32
	Dims    []int64
}

// Results returns the types of a program's results.
func (a *API) Results(program Handle) (out []Type, err error) {
	err = a.executable(program, func(e Handle) error {
		n := &numberArgs{base: base{size: unsafe.Sizeof(numberArgs{})}, object: uintptr(e)}
		if err := a.call(ExecutableNumOutputs, uintptr(unsafe.Pointer(n))); err != nil {
			return err
		}
		if n.n == 0 {
			return nil
		}
		t := &typesArgs{base: base{size: unsafe.Sizeof(typesArgs{})}, executable: uintptr(e)}
		if err := a.call(ExecutableOutputElementTypes, uintptr(unsafe.Pointer(t))); err != nil {
			return err
		}
		d := &dimensionsArgs{base: base{size: unsafe.Sizeof(dimensionsArgs{})}, executable: uintptr(e)}
		if err := a.call(ExecutableOutputDimensions, uintptr(unsafe.Pointer(d))); err != nil {
			return err
		}
		if t.n != n.n || d.n != n.n || t.types == nil || d.ranks == nil {
			return fmt.Errorf("the plugin reports %d results, types of %d and sizes of %d; use another version of it", n.n, t.n, d.n)
		}
		at := uintptr(0)
		ranks := unsafe.Slice(d.ranks, n.n)
		for i, element := range unsafe.Slice(t.types, n.n) {
			r := Type{Element: element}
			if d.dims != nil {
				r.Dims = append(r.Dims, unsafe.Slice(d.dims, at+ranks[i])[at:]...)
			}
			at += ranks[i]
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

type memoryArgs struct {
	base
	executable                                 uintptr
	code, arguments, results, aliased, scratch int64
	rest                                       [10]int64
}

// Scratch returns the bytes of a program's intermediate arrays, 0 if they are not known.
func (a *API) Scratch(program Handle) int {
	m := &memoryArgs{base: base{size: unsafe.Sizeof(memoryArgs{})}} // with room for what newer plugins add
	err := a.executable(program, func(e Handle) error {
		m.executable = uintptr(e)
		return a.call(ExecutableMemoryStats, uintptr(unsafe.Pointer(m)))
	})
	if err != nil {
		return 0
	}
	return int(m.scratch)
}

type serializeArgs struct {
	base
	executable uintptr
	bytes      *byte
	size       uintptr
	serialized uintptr
	deleter    uintptr
}

// Serialize returns a program in the form that Load takes.
func (a *API) Serialize(program Handle) (code []byte, err error) {
	err = a.executable(program, func(e Handle) error {
		code, err = a.serialize(e)
		return err
	})
	return code, err
}

// serialize is Serialize for a PJRT_Executable.
func (a *API) serialize(executable Handle) ([]byte, error) {
	args := &serializeArgs{base: base{size: unsafe.Sizeof(serializeArgs{})}, executable: uintptr(executable)}
	if err := a.call(ExecutableSerialize, uintptr(unsafe.Pointer(args))); err != nil {
		return nil, err
	}
	code := bytesAt(args.bytes, args.size)
	if args.deleter != 0 {
		invoke(args.deleter, args.serialized)
	}
	return code, nil
}

type optimizedArgs struct {
	base
	executable uintptr
	program    *programStruct
}

// Optimized returns a program as the compiler left it, and the name of its format.
func (a *API) Optimized(program Handle) (code []byte, format string, err error) {
	err = a.executable(program, func(e Handle) error {
		p := &programStruct{base: base{size: unsafe.Sizeof(programStruct{})}}
		args := &optimizedArgs{base: base{size: unsafe.Sizeof(optimizedArgs{})}, executable: uintptr(e), program: p}
		if err := a.call(ExecutableOptimizedProgram, uintptr(unsafe.Pointer(args))); err != nil { // returns the size
			return err
		}
		if p.size > mostProgram {
			return fmt.Errorf("%v reports a program of %d bytes; use another version of the plugin", ExecutableOptimizedProgram, p.size)
		}
		code = make([]byte, p.size+1)
		p.code = unsafe.Pointer(unsafe.SliceData(code))
		if err := a.call(ExecutableOptimizedProgram, uintptr(unsafe.Pointer(args))); err != nil {
			return err
		}
		code, format = code[:min(p.size, uintptr(len(code)-1))], text((*byte)(p.format), p.formatSize)
		return nil
	})
	return code, format, err
}

// mostProgram bounds the size of an optimized program: protocol buffers have at most 2 GB.
const mostProgram = 1 << 31
