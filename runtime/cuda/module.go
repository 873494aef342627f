//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	goruntime "runtime"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/internal/codecache"
)

// cacheVariable is the environment variable that names the folder of machine code; "off" means none.
// The files' names end with cacheSuffix.
const (
	cacheVariable = "WEFT_CUDA_CACHE"
	cacheSuffix   = ".cubin"
)

type module struct {
	handle   cu.Handle // of the kernel
	bytes    int
	resident int // groups that a multiprocessor runs at once; 0: not known
}

type kernel struct {
	device.Label
	module  *module // referred to, so that it stays loaded
	handle  cu.Handle
	threads int

	shared int // bytes of shared memory besides those that the kernel declares
	limit  int // the number of groups beyond which more groups gain nothing; 0: not known

	resident int    // groups that the device runs at once; 0: not known
	maps     []tile // tensor maps, which are further parameters
}

// Resident returns the number of groups that the device runs at once, 0 if it is not known.
func (k *kernel) Resident() int { return k.resident }

// Build compiles functions, or finds the code of those that were compiled before. Each function
// is a module of its own. So functions of equal text share a module, in a program, in the process
// and on the disk, and the driver compiles several at once.
func (d *driver) Build(fs []*simt.Func) (device.Code, error) {
	ms, errs := make([]*module, len(fs)), make([]error, len(fs))
	var texts sync.Map // from codecache.Key to *building
	each(len(fs), func(i int) {
		f := *fs[i]
		f.Name = d.shown(numbered.ReplaceAllString(f.Name, ""), f.Pos)
		text := ptx.Print(d.target, &f)
		key := keyOf(d.version, text.Text)
		v, _ := texts.LoadOrStore(key, &building{})
		b := v.(*building)
		b.once.Do(func() { b.m, b.err = d.module(key, text, &f) })
		if ms[i] = b.m; b.err != nil {
			errs[i] = b.err
		}
	})
	d.folder.TrimLater()
	var c device.Code
	counted := map[*module]bool{}
	for i, m := range ms {
		if errs[i] != nil {
			d.mu.Lock()
			defer d.mu.Unlock()
			return c, d.kernelError(device.LabelOf(fs[i]), errs[i])
		}
		if !counted[m] {
			counted[m] = true
			c.Bytes += m.bytes
		}
		// Names and lines belong to the caller's kernels, which may have the same text.
		c.Kernels = append(c.Kernels, d.kernelOf(fs[i], m))
	}
	return c, nil
}

// building is the module of a text. It is compiled once for all functions of that text.
type building struct {
	once sync.Once
	m    *module
	err  error
}

// numbered matches the number at the beginning of a kernel's name.
var numbered = regexp.MustCompile(`^k\d+_`)

// each calls f with the numbers from 0 to n−1, many at once.
func each(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, goruntime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	wg.Wait()
}

func keyOf(version int, text string) codecache.Key {
	h := sha256.New()
	fmt.Fprintf(h, "driver %d\n%s", version, text)
	return codecache.Key(h.Sum(nil))
}

// module returns the loaded module of a function's text, which functions of equal text share.
func (d *driver) module(key codecache.Key, text *ptx.Module, f *simt.Func) (*module, error) {
	if m := d.modules.Get(key); m != nil {
		return m, nil
	}
	m, err := d.load(key, text, f)
	if err != nil {
		return nil, err
	}
	return d.modules.Add(key, m), nil
}

func (d *driver) assemble(text *ptx.Module) ([]byte, error) {
	if text.Accelerated {
		return d.l.Assemble(text.Text, d.accelerated)
	}
	return d.l.Assemble(text.Text, 0)
}

// load loads a module from the disk or compiles it.
func (d *driver) load(key codecache.Key, text *ptx.Module, f *simt.Func) (*module, error) {
	m, shared := &module{}, f.DynamicBytes() // besides the bytes that the kernel declares
	var handle cu.Handle
	err := d.within(func() error {
		code, known := d.folder.Read(key)
		if known {
			var err error
			if handle, err = d.l.LoadModule(code); err != nil {
				known = false // the driver refuses it
			}
		}
		if !known {
			var err error
			if code, err = d.assemble(text); err != nil {
				return err
			}
			if handle, err = d.l.LoadModule(code); err != nil {
				return err
			}
			d.folder.Write(key, code)
		}
		m.bytes = len(code)
		var err error
		if m.handle, err = d.l.Function(handle, text.Names[0]); err != nil {
			return errors.Join(err, d.l.Unload(handle))
		}
		if shared > 0 {
			if err := d.l.SetShared(m.handle, shared); err != nil {
				return errors.Join(err, d.l.Unload(handle))
			}
		}
		m.resident = d.l.Resident(m.handle, f.Threads, shared)
		return nil
	})
	if err != nil {
		return nil, err
	}
	goruntime.AddCleanup(m, func(h cu.Handle) {
		d.modules.Forget(key)
		d.garbage.add(func(r *refuse) { r.modules = append(r.modules, h) })
	}, handle)
	return m, nil
}
