// Package drivertest contains a driver whose device is simulated, and the checks that
// every driver passes.
package drivertest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

// Simulated is a driver that evaluates kernels with [simteval.Run], or their PTX. Both report
// errors that a machine would not.
type Simulated struct {
	PTX   bool             // kernels are printed and their text is evaluated
	Radix bool             // rows are sorted by digits, however short
	Cores simt.TensorCores // what the device has for products of rounded operands
	Loop  bool             // graphs have loops

	mu   sync.Mutex
	next device.Memory
	mem  map[device.Memory][]byte

	open    bool
	failure error
	reads   int
}

// Reads returns how often the host has read from the device.
func (s *Simulated) Reads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// Fail makes all further calls fail with err, or work again if it is nil.
func (s *Simulated) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = err
}

// Name returns the executor's name.
func (s *Simulated) Name() string {
	if s.PTX {
		return "simulated-ptx"
	}
	return "simulated"
}

// Available opens the device, which must be done first.
func (s *Simulated) Available() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = true
	return nil
}

// TensorCores returns Cores.
func (s *Simulated) TensorCores() simt.TensorCores { return s.Cores }

// Description returns the name.
func (s *Simulated) Description() string { return "a simulated device" }

// Machine returns a device of unknown sizes.
func (s *Simulated) Machine() schedule.Device {
	if s.Radix {
		return schedule.Device{Digits: 1}
	}
	return schedule.Device{}
}

// Enter prepares nothing.
func (s *Simulated) Enter() error { return nil }

// Leave ends nothing.
func (s *Simulated) Leave() {}

// Build keeps the functions.
func (s *Simulated) Build(fs []*simt.Func) (device.Code, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open {
		return device.Code{}, errClosed
	}
	c := device.Code{Bytes: 1}
	text := &ptx.Module{}
	var m *ptxeval.Module
	if s.PTX {
		text = ptx.Print(80, fs...)
		c.Bytes = len(text.Text)
		var err error
		if m, err = ptxeval.Parse(text.Text); err != nil {
			return c, err
		}
	}
	for i, f := range fs {
		k := &simulatedKernel{f: f}
		if s.PTX {
			k.m, k.name = m, text.Names[i]
		}
		c.Kernels = append(c.Kernels, k)
	}
	return c, s.failure
}

// simulatedKernel is a function and, where it is printed, the entry of its text.
type simulatedKernel struct {
	f    *simt.Func
	m    *ptxeval.Module
	name string
}

// Capacity returns 0, which means any number of bytes.
func (s *Simulated) Capacity() int { return 0 }

// Alloc returns memory filled with a pattern.
func (s *Simulated) Alloc(n int) (device.Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return 0, s.failure
	}
	if !s.open {
		return 0, errClosed
	}
	if s.mem == nil {
		s.mem = map[device.Memory][]byte{}
	}
	s.next++
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xa5
	}
	s.mem[s.next] = b
	return s.next, nil
}

var errClosed = errors.New("the device is used before Available is called")

// Free releases memory.
func (s *Simulated) Free(m device.Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mem, m)
}

// Blocks returns the number of pieces of memory that are allocated.
func (s *Simulated) Blocks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mem)
}

// at returns n bytes of memory from an offset.
func (s *Simulated) at(m device.Memory, offset, n int) ([]byte, error) {
	b, ok := s.mem[m]
	if !ok {
		return nil, errors.New("the memory does not exist; allocate it, and use it before Free")
	}
	if offset < 0 || n < 0 || offset+n > len(b) {
		return nil, fmt.Errorf("bytes %d to %d of memory of %d; copy within the memory", offset, offset+n, len(b))
	}
	return b[offset : offset+n], nil
}

// Write copies data to the device.
func (s *Simulated) Write(dst device.Memory, offset int, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.at(dst, offset, len(data))
	copy(b, data)
	return errors.Join(err, s.failure)
}

// Read copies from the device.
func (s *Simulated) Read(data []byte, src device.Memory, offset int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	b, err := s.at(src, offset, len(data))
	copy(data, b)
	return errors.Join(err, s.failure)
}

// Copy copies within the device.
func (s *Simulated) Copy(dst device.Memory, at int, src device.Memory, from, n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.at(dst, at, n)
	if err != nil {
		return err
	}
	b, err := s.at(src, from, n)
	copy(a, b)
	return errors.Join(err, s.failure)
}

// Launch evaluates a kernel.
func (s *Simulated) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return s.failure
	}
	kn := k.(*simulatedKernel)
	f := kn.f
	mem := make([][]byte, len(buffers))
	for i, p := range buffers {
		decl := f.Kernel.Buffers[i]
		var err error
		if mem[i], err = s.at(p.Memory, p.Offset, int(decl.Len.In(symbols))*decl.Type.Size()); err != nil {
			return fmt.Errorf("buffer %d of kernel %s: %w", i, f.Name, err)
		}
	}
	if kn.m != nil && f.DynamicBytes() > 0 {
		return kn.m.RunTensor(kn.name, groups, mem, f)
	}
	if kn.m != nil {
		return kn.m.Run(kn.name, groups, mem, symbols)
	}
	return simteval.Run(f, symbols, mem, groups)
}

// Mark returns a mark.
func (s *Simulated) Mark() (device.Mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 1, s.failure
}

// Wait returns at once: each command runs in its call.
func (s *Simulated) Wait(device.Mark) error { return nil }

// Graph keeps launches.
func (s *Simulated) Graph(ls []device.Launch) (device.Graph, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &simulatedGraph{s: s}
	for _, l := range ls {
		l.Buffers = slices.Clone(l.Buffers)
		g.launches = append(g.launches, l)
	}
	return g, s.failure
}

type simulatedGraph struct {
	s        *Simulated
	launches []device.Launch
}

// Set replaces the operands of a launch.
func (g *simulatedGraph) Set(i int, l device.Launch) error {
	l.Buffers = slices.Clone(l.Buffers)
	g.launches[i] = l
	return nil
}

// Run runs the launches.
func (g *simulatedGraph) Run() error {
	rest, err := g.s.run(g.launches)
	if len(rest) > 0 && err == nil {
		err = errors.New("an end without a loop; begin the loop")
	}
	return err
}

// Stop ends nothing: each run has ended.
func (g *simulatedGraph) Stop() error { return nil }

// run runs launches up to an end, and returns what begins with it.
func (s *Simulated) run(ls []device.Launch) (rest []device.Launch, err error) {
	for len(ls) > 0 {
		l := ls[0]
		switch l.Control {
		case device.End:
			return ls, nil
		case device.Always:
			if err := s.Launch(l.Kernel, l.Groups, l.Buffers, l.Symbols); err != nil {
				return nil, err
			}
			ls = ls[1:]
			continue
		}
		end := len(ls) - len(skip(ls[1:]))
		for again, asked := true, l; again; asked = ls[end] {
			if again, err = s.holds(asked.Buffers); err == nil && again {
				_, err = s.run(ls[1:])
			}
			if err != nil {
				return nil, err
			}
			again = again && l.Control == device.Repeat
		}
		ls = ls[end+1:]
	}
	return nil, nil
}

// skip returns what begins with the end of the loop in which ls begins.
func skip(ls []device.Launch) []device.Launch {
	for ls[0].Control != device.End {
		if ls[0].Control != device.Always {
			ls = skip(ls[1:])
		}
		ls = ls[1:]
	}
	return ls
}

// holds reports whether bytes are all 1.
func (s *Simulated) holds(bytes []device.Place) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range bytes {
		b, err := s.at(p.Memory, p.Offset, 1)
		if err != nil || b[0] == 0 {
			return false, err
		}
		if b[0] != 1 {
			return false, fmt.Errorf("a condition is %d; write 0 or 1", b[0])
		}
	}
	return true, nil
}

// Loops returns Loop.
func (s *Simulated) Loops() bool { return s.Loop }
