//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"fmt"
	"os"

	"github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// cacheVariable is the environment variable that names the folder of compiled programs; "off" means none.
// The files' names end with cacheSuffix.
const (
	cacheVariable = "WEFT_OPENCL_CACHE"
	cacheSuffix   = ".clbin"
)

// pocl is the name of PoCL's platform. It keeps what it has compiled in a folder of its own. To return a
// binary it compiles every kernel once more, which takes longer than the program's first call.
const pocl = "Portable Computing Language"

// folderOf returns the folder of a device's compiled programs. A device of PoCL has one only if the variable
// names it.
func folderOf(id cl.Handle, folder *codecache.Folder) *codecache.Folder {
	if os.Getenv(cacheVariable) == "" && cl.PlatformText(id, cl.PlatformName) == pocl {
		return nil
	}
	return folder
}

// compilerOf returns what a device's binaries depend on besides the text; "" if the driver does not report
// all of it.
func compilerOf(id cl.Handle) string {
	all := ""
	for _, s := range []string{
		cl.PlatformText(id, cl.PlatformName), cl.PlatformText(id, cl.PlatformVersion),
		cl.Text(id, cl.DeviceName), cl.Text(id, cl.DeviceVersion), cl.Text(id, cl.DriverVersion), opencl.BuildOptions,
	} {
		if s == "" {
			return ""
		}
		all += fmt.Sprintf("%q\n", s)
	}
	return all
}

// program loads a program from the disk, or compiles it and keeps it there.
func (d *driver) program(key codecache.Key, src *opencl.Source) (cl.Handle, error) {
	if code, ok := d.folder.Read(key); ok {
		if p, err := d.load(code, src.Names); err == nil {
			return p, nil
		}
	}
	p, err := cl.Build(d.context, d.id, src.Text, opencl.BuildOptions)
	if err != nil {
		return 0, err
	}
	if d.folder != nil {
		if code, err := cl.Binary(p); err == nil && len(code) > 0 {
			d.folder.Write(key, code)
			d.folder.TrimLater()
		}
	}
	return p, nil
}

// load returns the program of code from the disk, unless the driver refuses it or finds a kernel missing.
func (d *driver) load(code []byte, kernels []string) (cl.Handle, error) {
	p, err := cl.BuildBinary(d.context, d.id, code, opencl.BuildOptions)
	if err != nil {
		return 0, err
	}
	for _, name := range kernels {
		k, err := cl.NewKernel(p, name)
		if err != nil {
			cl.ReleaseProgram(p)
			return 0, err
		}
		cl.ReleaseKernel(k)
	}
	return p, nil
}
