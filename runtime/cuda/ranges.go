//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// Ranges returns the driver if a profiler runs, which shows the calls of programs as ranges; else nil.
func (d *driver) Ranges() device.Ranger {
	if !d.profiled {
		return nil
	}
	return d
}

// Begin begins a range.
func (d *driver) Begin(name []byte) { cu.PushRange(name) }

// End ends the range that began last.
func (d *driver) End() { cu.PopRange() }

var nameless = regexp.MustCompile(`[^A-Za-z0-9]+`)

// shown returns the name of a kernel in a profile: the user's line follows it, as in add__model_go_12. Without a profiler there
// is no line, so that equal kernels of several lines share a module.
func (d *driver) shown(name, pos string) string {
	if !d.profiled || pos == "" {
		return name
	}
	return name + "__" + strings.Trim(nameless.ReplaceAllString(filepath.Base(pos), "_"), "_")
}
