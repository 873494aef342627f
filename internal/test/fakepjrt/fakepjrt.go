//go:build (linux || darwin) && (amd64 || arm64)

// Package fakepjrt contains a plugin with PJRT's C interface that is written in Go. It counts its
// objects, any call can be made to fail, and the reference executor runs its programs. It is for
// tests only.
package fakepjrt

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions are the indices of the table's functions.
var functions = map[string]int{
	"Error_Destroy": 0, "Error_Message": 1, "Error_GetCode": 2, "Plugin_Initialize": 3, "Plugin_Attributes": 4, "Event_Destroy": 5, "Event_Await": 8,
	"Client_Create": 10, "Client_Destroy": 11, "Client_PlatformName": 12, "Client_PlatformVersion": 14, "Client_AddressableDevices": 16, "Client_Compile": 20,
	"Client_BufferFromHostBuffer": 22, "DeviceDescription_Id": 23, "DeviceDescription_Kind": 26, "Device_GetDescription": 29, "Device_MemoryStats": 34,
	"Executable_Destroy": 40, "Executable_NumOutputs": 44, "Executable_OptimizedProgram": 48, "Executable_Serialize": 49, "LoadedExecutable_Destroy": 50, "LoadedExecutable_GetExecutable": 51,
	"LoadedExecutable_Execute": 55, "Executable_DeserializeAndLoad": 56, "Buffer_Destroy": 58, "Buffer_CopyToDevice": 69, "Buffer_ToHostBuffer": 70,
	"Buffer_ReadyEvent": 72, "TopologyDescription_Create": 82, "TopologyDescription_Destroy": 83, "Compile": 89,
	"Executable_OutputElementTypes": 90, "Executable_OutputDimensions": 91, "Executable_GetCompiledMemoryStats": 96,
}

// last is the number of functions of the table.
const last = 118

// frame is the argument of a function, in words: its size, extensions, and what follows.
type frame = *[24]uintptr

// Plugin is the pretended plugin. A process has one at a time: see [New].
type Plugin struct {
	mu      sync.Mutex
	table   [5 + last]uintptr
	first   uintptr // handle of the first object; those of older plugins are less
	next    uintptr
	older   *Plugin
	objects map[uintptr]any // by handle
	calls   map[string]int

	faults Faults

	// Platform is the name of the platform. It is set before the plugin is opened.
	Platform []byte
}

// Faults are what a plugin does wrong.
type Faults struct {
	// Fail returns whether call n of a function, which counts from 1, fails.
	Fail func(function string, n int) bool
	// Spoil changes what a call has written, after it has succeeded.
	Spoil func(function string, args frame)
	// Message is the text of errors, in front of which the function stands.
	Message string
	// Code is the code of errors, internal (13) if it is 0.
	Code int32
}

// current is the plugin that the callbacks serve.
var current struct {
	sync.Mutex
	*Plugin
}

// addresses are the callbacks of a process, which has room for few.
var addresses = sync.OnceValue(func() map[string]uintptr {
	m := map[string]uintptr{}
	for name := range functions {
		m[name] = purego.NewCallback(func(args frame) uintptr {
			current.Lock()
			p := current.Plugin
			current.Unlock()
			if strings.HasPrefix(name, "Error_") || strings.HasSuffix(name, "_Destroy") {
				p = p.owner(args[2])
			}
			return p.serve(name, args)
		})
	}
	return m
})

// New returns a plugin, which takes the place of the former one. Of that, nothing may be used but
// what frees objects.
func New() *Plugin {
	p := &Plugin{objects: map[uintptr]any{}, calls: map[string]int{}, Platform: []byte("fake"), next: 0x1000}
	p.table[0], p.table[2] = unsafe.Sizeof(p.table), 24
	p.SetVersion(0, 100)
	for name, i := range functions {
		p.table[5+i] = addresses()[name]
	}
	current.Lock()
	defer current.Unlock()
	if old := current.Plugin; old != nil {
		p.next, p.older = old.next+0x100000, old // a handle of the old one is none of the new one
	}
	p.first = p.next
	current.Plugin = p
	return p
}

// Break makes the calls that begin from now on have these faults, instead of those before. Programs may
// be under way.
func (p *Plugin) Break(f Faults) {
	if f.Code == 0 {
		f.Code = 13
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
}

// owner returns the plugin of an object's handle: p or an older one, whose objects are freed late.
func (p *Plugin) owner(h uintptr) *Plugin {
	for h < p.first && p.older != nil {
		p = p.older
	}
	return p
}

// Table returns the address of the table of functions.
func (p *Plugin) Table() uintptr { return uintptr(unsafe.Pointer(&p.table)) }

// SetVersion changes the version in the table.
func (p *Plugin) SetVersion(major, minor int32) {
	*(*[2]int32)(unsafe.Pointer(&p.table[4])) = [2]int32{major, minor}
}

// Truncate makes the table end in front of a function.
func (p *Plugin) Truncate(function string) { p.table[0] = uintptr(5+functions[function]) * 8 }

// Remove removes a function from the table.
func (p *Plugin) Remove(function string) { p.table[5+functions[function]] = 0 }

// Calls returns how often each function was called.
func (p *Plugin) Calls() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := map[string]int{}
	for f, n := range p.calls {
		m[f] = n
	}
	return m
}

// Live returns the kinds of the objects that have not been freed, sorted by nothing.
func (p *Plugin) Live() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var kinds []string
	for _, o := range p.objects {
		kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", o), "*fakepjrt."))
	}
	return kinds
}

// failure is an error of the plugin.
type failure struct {
	code int32
	text []byte
}

// serve answers a call.
func (p *Plugin) serve(name string, args frame) uintptr {
	p.mu.Lock()
	p.calls[name]++
	n, faults := p.calls[name], p.faults
	p.mu.Unlock()
	fails := faults.Fail != nil && faults.Fail(name, n)
	free := strings.HasSuffix(name, "_Destroy")
	if fails && !free {
		return p.failed(name, n, faults)
	}
	if text := p.do(name, args); text != "" {
		return p.add(&failure{13, []byte(text)})
	}
	if fails { // what it frees is freed
		return p.failed(name, n, faults)
	}
	if faults.Spoil != nil {
		faults.Spoil(name, args)
	}
	return 0
}

func (p *Plugin) failed(name string, n int, f Faults) uintptr {
	if name == "Error_Destroy" || name == "Error_Message" { // which return nothing
		return 0
	}
	return p.add(&failure{f.Code, fmt.Appendf(nil, "call %d of %s fails%s", n, name, f.Message)})
}

// add returns a handle of an object.
func (p *Plugin) add(o any) uintptr {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next += 8
	p.objects[p.next] = o
	return p.next
}

// get returns the object of a handle.
func (p *Plugin) get(h uintptr) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.objects[h]
}

// free frees an object. One that is none is reported.
func (p *Plugin) free(h uintptr) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.objects[h]; !ok {
		return fmt.Sprintf("%#x is freed, which is no object", h)
	}
	delete(p.objects, h)
	return ""
}
