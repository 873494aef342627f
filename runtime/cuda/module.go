//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	goruntime "runtime"
	"strconv"
	"sync"
	"weak"

	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// modules are those of a device by the hash of their text, as long as kernels of theirs
// are in use.
type modules struct {
	mu     sync.Mutex
	loaded map[digest]weak.Pointer[module]
}

// digest is the hash of a text and of what translates it.
type digest [sha256.Size]byte

// module is loaded machine code.
type module struct {
	kernels []*kernel
	bytes   int
}

// kernel is a kernel of a module.
type kernel struct {
	label
	module  *module // kept while a kernel is
	handle  cu.Handle
	threads int
}

// label is a kernel's name and the user's line, "" if it is not known.
type label struct{ name, pos string }

func labelOf(f *simt.Func) label { return label{f.Name, f.Pos} }

func (l label) String() string {
	if l.pos == "" {
		return l.name
	}
	return l.name + " (" + l.pos + ")"
}

func (l label) fail(err error) error { return fmt.Errorf("kernel %v: %w", l, err) }

// Build compiles functions as one module, or finds what was compiled before.
func (d *driver) Build(fs []*simt.Func) (device.Code, error) {
	text := ptx.Print(d.target, fs...)
	h := sha256.New()
	fmt.Fprintf(h, "driver %d\n%s", d.version, text.Text)
	key := digest(h.Sum(nil))
	d.modules.mu.Lock()
	m := d.modules.loaded[key].Value()
	d.modules.mu.Unlock()
	if m == nil {
		var err error
		if m, err = d.load(key, text, fs); err != nil {
			return device.Code{Bytes: len(text.Text)}, err
		}
		d.modules.mu.Lock()
		if d.modules.loaded == nil {
			d.modules.loaded = map[digest]weak.Pointer[module]{}
		}
		if other := d.modules.loaded[key].Value(); other != nil {
			m = other // another goroutine was faster
		} else {
			d.modules.loaded[key] = weak.Make(m)
		}
		d.modules.mu.Unlock()
	}
	c := device.Code{Bytes: m.bytes}
	for i, k := range m.kernels {
		// Names and lines are those of the caller, whose kernels may have the same text.
		c.Kernels = append(c.Kernels, &kernel{label: labelOf(fs[i]), module: m, handle: k.handle, threads: k.threads})
	}
	return c, nil
}

// load loads a module from the disk or compiles it.
func (d *driver) load(key digest, text *ptx.Module, fs []*simt.Func) (*module, error) {
	m := &module{}
	var handle cu.Handle
	err := d.within(func() error {
		code, known := readCache(d.cache, key)
		if known {
			var err error
			if handle, err = d.l.LoadModule(code); err != nil {
				known = false // a file that is damaged
			}
		}
		if !known {
			var err error
			if code, err = d.l.Assemble(text.Text); err != nil {
				return d.located(err, text, fs)
			}
			if handle, err = d.l.LoadModule(code); err != nil {
				return d.located(err, text, fs)
			}
			writeCache(d.cache, key, code)
		}
		m.bytes = len(code)
		for i, f := range fs {
			h, err := d.l.Function(handle, text.Names[i])
			if err != nil {
				err = fmt.Errorf("kernel %s: %w", f.Name, err)
				return errors.Join(err, d.l.Unload(handle))
			}
			m.kernels = append(m.kernels, &kernel{handle: h, threads: f.Threads})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	goruntime.AddCleanup(m, func(h cu.Handle) {
		d.modules.mu.Lock()
		if p, ok := d.modules.loaded[key]; ok && p.Value() == nil {
			delete(d.modules.loaded, key)
		}
		d.modules.mu.Unlock()
		_ = d.within(func() error { // kernels of the module may still be on their way
			if err := d.l.Synchronize(d.stream); err != nil {
				return err
			}
			return d.l.Unload(h)
		})
	}, handle)
	return m, nil
}

var lineNumber = regexp.MustCompile(`line (\d+)`)

// located adds the kernel to an error about a line of the text, or all kernels.
func (d *driver) located(err error, text *ptx.Module, fs []*simt.Func) error {
	if n := lineNumber.FindStringSubmatch(err.Error()); n != nil {
		if line, e := strconv.Atoi(n[1]); e == nil {
			if i, ok := text.EntryAt(line); ok {
				return labelOf(fs[i]).fail(err)
			}
		}
	}
	if len(fs) == 1 {
		return labelOf(fs[0]).fail(err)
	}
	return fmt.Errorf("%d kernels, %s …: %w", len(fs), fs[0].Name, err)
}
