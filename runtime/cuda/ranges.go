//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// Ranges returns the driver if a profiler runs, which sees the calls of programs as ranges.
func (d *driver) Ranges() device.Ranger {
	if !d.profiled {
		return nil
	}
	return d
}

// Begin begins a range.
func (d *driver) Begin(name []byte) { cu.PushRange(name) }

// End ends it.
func (d *driver) End() { cu.PopRange() }

// nameless is what names of kernels do not consist of.
var nameless = regexp.MustCompile(`[^A-Za-z0-9]+`)

// shown returns the name of a kernel in a profile: the user's line follows it, as in add__model_go_12. Where no profiler runs,
// kernels of several lines are one.
func (d *driver) shown(name, pos string) string {
	if !d.profiled || pos == "" {
		return name
	}
	return name + "__" + strings.Trim(nameless.ReplaceAllString(filepath.Base(pos), "_"), "_")
}
