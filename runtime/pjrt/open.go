package pjrt

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/cpu"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// Variable is the environment variable that contains the files of plugins, separated as in PATH.
const Variable = "WEFT_PJRT"

// cacheVariable is the environment variable that names the folder of compiled programs; "off" means none.
const cacheVariable = "WEFT_PJRT_CACHE"

func init() {
	runtime.RegisterLater("pjrt-", named)
}

// named returns the devices of the plugins that [Variable] names, and why others cannot be used.
func named() (found []runtime.Executor, err error) {
	var why []error
	for _, path := range filepath.SplitList(os.Getenv(Variable)) {
		if path == "" {
			continue
		}
		p, err := load(path, nil, "", nil)
		if err == nil {
			if name := p.devices[0].name; slices.ContainsFunc(found, func(e runtime.Executor) bool { return e.Name() == name }) {
				err = fmt.Errorf("another plugin that %s names has the device %s, too; open this one with pjrt.Open and pjrt.Name(…)", Variable, name)
				err = failed(path, errors.Join(err, p.client.api.DestroyClient(p.client.handle)))
			}
		}
		if err != nil {
			if e := (*core.Error)(nil); errors.As(err, &e) {
				e.Pos = "" // no line of the program asks for this plugin
			}
			why = append(why, err)
			continue
		}
		for _, d := range p.devices {
			found = append(found, d)
		}
	}
	return found, errors.Join(why...)
}

// A Plugin is a plugin that has been opened.
type Plugin struct {
	client  *client
	devices []*device
}

// Open loads the plugin of a file, creates its client and registers its devices. A plugin stays open
// until the process ends. It may be opened again under another name, which creates another client.
func Open(path string, options ...Config) (*Plugin, error) {
	var values []capi.Value
	name := ""
	var store Store
	for _, o := range options {
		switch {
		case !o.own:
			if err := o.check(); err != nil {
				return nil, failed(path, err)
			}
			values = append(values, capi.Value{Name: o.name, Value: o.value})
		case o.name == storeOption:
			if store, _ = o.value.(Store); store == nil {
				return nil, failed(path, errors.New("the store of pjrt.Share is nil; pass one, or leave the option out"))
			}
		case strings.ContainsAny(o.value.(string), ": ") || o.value == "":
			return nil, failed(path, fmt.Errorf("the name of its devices is %q; pass one without a colon or a blank", o.value))
		default:
			name = o.value.(string)
		}
	}
	p, err := load(path, values, name, store)
	if err != nil {
		return nil, err
	}
	for i, d := range p.devices {
		err := runtime.Register(d)
		if err == nil {
			continue
		}
		if i == 0 { // nothing uses the client
			err = errors.Join(err, p.client.api.DestroyClient(p.client.handle))
		}
		return nil, failed(path, fmt.Errorf("%w; open it with pjrt.Name(…)", err))
	}
	return p, nil
}

// Devices returns the names of the devices, which weft.DeviceNamed takes.
func (p *Plugin) Devices() []string {
	core.RequireReceiver("pjrt.Plugin.Devices", p == nil)
	names := make([]string, len(p.devices))
	for i, d := range p.devices {
		names[i] = d.name
	}
	return names
}

// String describes the plugin: its platform, versions and file.
func (p *Plugin) String() string {
	core.RequireReceiver("pjrt.Plugin.String", p == nil)
	return p.client.description()
}

// failed returns the error that the plugin of a file cannot be used because of err.
func failed(path string, err error) error {
	return &core.Error{Kind: core.ErrDevice, Op: "pjrt.Open", Pos: core.HerePos(), Msg: fmt.Sprintf("the plugin %s cannot be used", path), Err: err}
}

type library struct {
	api    *capi.API
	file   string // its path, size and time of modification
	stable string // the version of StableHLO that it reads, "" if it is not known
	xla    string
}

// libraries are the files that have been loaded, by path. Each is initialized once.
var libraries = struct {
	sync.Mutex
	known map[string]*library
}{known: map[string]*library{}}

func open(path string) (*library, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		var bad *fs.PathError
		if errors.As(err, &bad) {
			err = bad.Err
		}
		return nil, fmt.Errorf("there is no such file (%w); pip download brings one, see docs/pjrt.md", err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a folder; pass the plugin's .so file in it")
	}
	libraries.Lock()
	defer libraries.Unlock()
	if l := libraries.known[path]; l != nil {
		return l, nil
	}
	api, err := capi.Open(path)
	if err != nil {
		return nil, fmt.Errorf("it is no plugin with PJRT's C interface: %w", err)
	}
	l, err := newLibrary(api, fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano()))
	if err != nil {
		return nil, err
	}
	libraries.known[path] = l
	return l, nil
}

// newLibrary initializes a plugin and reads its attributes.
func newLibrary(api *capi.API, file string) (*library, error) {
	l := &library{api: api, file: file}
	if err := api.Initialize(); err != nil {
		return nil, err
	}
	attributes, err := api.Attributes()
	if err != nil {
		return nil, err
	}
	for _, v := range attributes {
		switch v.Name {
		case "stablehlo_current_version":
			if list, ok := v.Value.([]int64); ok && len(list) == 3 {
				l.stable = fmt.Sprintf("%d.%d.%d", list[0], list[1], list[2])
			}
		case "xla_version":
			l.xla = fmt.Sprint(v.Value)
		}
	}
	return l, nil
}

func load(path string, options []capi.Value, name string, store Store) (*Plugin, error) {
	l, err := open(path)
	if err != nil {
		return nil, failed(path, err)
	}
	p, err := l.client(options, name, store, codecache.In(codecache.Dir(cacheVariable, "pjrt"), ".pjrt"))
	if err != nil {
		return nil, failed(path, err)
	}
	return p, nil
}

// client is a plugin's connection to its devices, with the programs that it has compiled.
type client struct {
	*library
	handle   capi.Handle
	platform string
	version  string
	folder   *codecache.Folder
	identity codecache.Key // of the plugin, its versions and options, XLA's flags and the processor: all that compiled programs depend on
	memory   accounting

	executables codecache.Shared[executable]
	registered  sync.Once // registers the function by which programs call the host
	callable    bool
	decomposes  atomic.Bool // the plugin is older than some operations of CHLO

	together sync.Mutex
	groups   map[string]*group // of several devices, by name
	underWay chan struct{}     // contains an element for each program of groups that is under way; nil: their number is not limited
}

// client creates a client and its devices. Compiled programs are kept in the folder, unless it is nil.
func (l *library) client(options []capi.Value, name string, store Store, folder *codecache.Folder) (p *Plugin, err error) {
	c := &client{library: l, folder: folder}
	if c.handle, err = l.api.NewClient(options, store); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.api.DestroyClient(c.handle))
		}
	}()
	if c.platform, err = l.api.PlatformName(c.handle); err != nil {
		return nil, err
	}
	if c.version, err = l.api.PlatformVersion(c.handle); err != nil {
		return nil, err
	}
	c.identity = sha256.Sum256(fmt.Appendf(nil, "%s\n0.%d %s\n%s %s\n%v\n%s\n%v %v", l.file, l.api.Minor, l.xla, c.platform, c.version, options, os.Getenv("XLA_FLAGS"), cpu.X86, cpu.ARM64))
	if c.platform == processors {
		c.underWay = make(chan struct{}, mostUnderWay)
	}
	if name == "" {
		name = "pjrt-" + strings.ToLower(strings.Map(plain, c.platform))
	}
	handles, err := l.api.Devices(c.handle)
	if err != nil {
		return nil, err
	}
	if len(handles) == 0 {
		return nil, errors.New("it has no device here; check its options and the machine")
	}
	p = &Plugin{client: c}
	for i, h := range handles {
		d := &device{client: c, handle: h, name: fmt.Sprintf("%s:%d", name, i)}
		if d.id, d.kind, err = l.api.Describe(h); err != nil {
			return nil, err
		}
		p.devices = append(p.devices, d)
	}
	return p, nil
}

// plain replaces characters that separate the parts of a name.
func plain(r rune) rune {
	if r == ':' || r == ' ' {
		return '-'
	}
	return r
}

func (c *client) description() string {
	s := fmt.Sprintf("XLA for %s, by a plugin of version 0.%d of the interface", c.platform, c.api.Minor)
	if c.stable != "" {
		s += ", StableHLO " + c.stable
	}
	file, _, _ := strings.Cut(c.file, " ")
	return s + ", " + file
}
