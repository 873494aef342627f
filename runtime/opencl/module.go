//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

type module struct{ handle cl.Handle }

type kernel struct {
	device.Label
	module  *module // referred to, so that it is not released
	handle  cl.Handle
	threads int

	// Guarded by driver.mu:
	args  []uint64 // the arguments that were set
	set   int      // the number of args that were set
	epoch int      // driver.epoch when they were set
}

// errNoDoubles is the error of kernels with f64 in memory, on a device without f64.
var errNoDoubles = errors.New("the device has no f64, which the kernel reads or writes; use f32, or another device")

// Build compiles functions as one program, or finds the program if it was compiled before.
func (d *driver) Build(fs []*simt.Func) (device.Code, error) {
	if !d.doubles {
		if f := needsDoubles(fs); f != nil {
			return device.Code{}, device.LabelOf(f).Fail(errNoDoubles)
		}
	}
	src := d.print(fs...)
	code := device.Code{Bytes: len(src.Text)}
	m, err := d.module(src)
	if err != nil {
		return code, d.refused(fs, err)
	}
	for i, f := range fs {
		h, err := cl.NewKernel(m.handle, src.Names[i])
		if err != nil {
			return code, d.kernelError(device.LabelOf(f), err)
		}
		k := &kernel{Label: device.LabelOf(f), module: m, handle: h, threads: f.Threads}
		d.garbage.watchKernel(k)
		most, err := cl.MostThreads(h, d.id)
		if err != nil {
			return code, d.kernelError(k.Label, err)
		}
		if 0 < most && most < f.Threads { // some drivers may not know
			return code, k.Fail(&device.GroupError{Threads: most})
		}
		code.Kernels = append(code.Kernels, k)
	}
	return code, nil
}

// needsDoubles returns the first function that reads or writes f64 in the device's memory and does arithmetic on
// f64, or else the first that reads or writes it at all; nil if there is none.
func needsDoubles(fs []*simt.Func) *simt.Func {
	var first *simt.Func
	for _, f := range fs {
		if !slices.ContainsFunc(f.Kernel.Buffers, func(b ir.Buffer) bool { return b.Type == scalar.F64 }) {
			continue
		}
		if first == nil {
			first = f
		}
		computes := false
		simt.Walk(f.Body, func(s simt.Stmt) {
			o, ok := s.(*simt.Op)
			computes = computes || ok && o.Inst.Type == scalar.F64 && o.Inst.Op.Form() == scalar.FormSame && o.Inst.Op != scalar.OpCanon
		})
		if computes {
			return f
		}
	}
	return first
}

// print returns the text of functions, with f64 in integers if the device has none.
func (d *driver) print(fs ...*simt.Func) *opencl.Source {
	if d.doubles {
		return opencl.Print(fs...)
	}
	return opencl.PrintWithoutDoubles(fs...)
}

// refused returns the error of a program that the compiler refuses. It names the first kernel that the
// compiler refuses alone.
func (d *driver) refused(fs []*simt.Func, err error) error {
	for _, f := range fs {
		p, alone := cl.Build(d.context, d.id, d.print(f).Text, opencl.BuildOptions)
		if alone != nil {
			return d.kernelError(device.LabelOf(f), alone)
		}
		cl.ReleaseProgram(p)
	}
	return d.explain(err)
}

// module returns the program of a text. It builds one only if none of that text is in use.
func (d *driver) module(src *opencl.Source) (*module, error) {
	key := keyOf(d.compiler, src.Text)
	if m := d.modules.Get(key); m != nil {
		return m, nil
	}
	p, err := d.program(key, src)
	if err != nil {
		return nil, err
	}
	m := &module{p}
	d.watchModule(m, key)
	return d.modules.Add(key, m), nil
}

// keyOf returns the hash of a text and of the description of its compiler.
func keyOf(compiler, text string) codecache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s", compiler, text)
	return codecache.Key(h.Sum(nil))
}
