//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
)

// memoryVariable is the environment variable that bounds the memory of each device that the process uses: bytes, perhaps with a
// unit such as GiB, or a percentage of the device's memory.
const memoryVariable = "WEFT_CUDA_MEMORY"

var environment = sync.OnceValues(func() (share, error) { return parseShare(os.Getenv(memoryVariable)) })

// share is a number of bytes, or a fraction of a device's memory. Both are 0 if there is no limit.
type share struct {
	bytes    int64
	fraction float64
}

// parseShare reads 8GiB, 500MB, 1000000 or 50%.
func parseShare(text string) (share, error) {
	fail := fmt.Errorf("%s: no number of bytes (got %q); set it to one such as 8GiB, 500MB or 50%%", memoryVariable, text)
	text = strings.TrimSpace(text)
	if text == "" {
		return share{}, nil
	}
	if number, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(x > 0 && x <= 100) {
			return share{}, fail
		}
		return share{fraction: x / 100}, nil
	}
	unit := 1.0
	for _, u := range []struct {
		name  string
		bytes float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}} {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			text, unit = strings.TrimSpace(number), u.bytes
			break
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if x *= unit; err != nil || !(x >= 1 && x < math.MaxInt64) {
		return share{}, fail
	}
	return share{bytes: int64(x)}, nil
}

// Limit returns the bytes that the process may use of the device, 0 for all, and the name of the setting.
func (d *driver) Limit() (bytes int, setting string) {
	if n := limited.Load(); n != 0 {
		return int(min(max(n, 0), math.MaxInt)), "cuda.LimitMemory"
	}
	s, err := environment()
	if err != nil { // which open has reported
		return 0, ""
	}
	if s.fraction > 0 {
		return max(1, int(s.fraction*float64(d.capacity))), memoryVariable
	}
	return int(min(s.bytes, math.MaxInt)), memoryVariable
}
