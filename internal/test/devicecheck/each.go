package devicecheck

import (
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft/runtime"
)

// Each runs a test on every usable device of a driver, or, if WEFT_DEVICE names a device, on that
// one, which must exist. The names of the driver's executors begin with prefix, such as "cuda:";
// list returns a line about each device.
func Each(t *testing.T, prefix string, list func() ([]string, error), f func(t *testing.T, e runtime.Executor)) {
	t.Helper()
	named := os.Getenv("WEFT_DEVICE")
	if named != "" && !strings.HasPrefix(named, prefix) {
		t.Skipf("WEFT_DEVICE names %s", named)
	}
	lines, err := list()
	if err == nil {
		t.Log(lines)
	}
	ran := false
	for _, e := range runtime.Executors() {
		if strings.HasPrefix(e.Name(), prefix) && (named == "" || e.Name() == named) && e.Available() == nil {
			ran = true
			t.Run(e.Name(), func(t *testing.T) { f(t, e) })
		}
	}
	switch {
	case ran:
	case named != "":
		t.Fatalf("%s, which WEFT_DEVICE names, cannot be used (error %v, devices %v)", named, err, lines)
	case err != nil:
		Absent(t, strings.TrimSuffix(prefix, ":"), err)
	default:
		Absent(t, strings.TrimSuffix(prefix, ":"), "no device can be used:", lines)
	}
}
