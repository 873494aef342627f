//go:build linux && (amd64 || arm64)

package cl

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// withoutDriver is set in a process in which no OpenCL library can be found.
const withoutDriver = "WEFT_TEST_WITHOUT_DRIVER"

// A machine without an OpenCL library or without a driver of a device has a clear error, no crash.
func TestMissingLibrary(t *testing.T) {
	if os.Getenv(withoutDriver) != "" {
		if err := Load(); err == nil {
			_, err = Devices()
			if err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	if _, err := symbol(0, "clNoSuchFunction"); err == nil || !strings.Contains(err.Error(), "clNoSuchFunction") {
		t.Errorf("a function that there is not: got %v", err)
	}
	if err := Load(); err != nil {
		for _, want := range []string{"there is no OpenCL library", "libOpenCL.so.1", "install the driver of the device"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		return
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestMissingLibrary$")
	c.Env = append(os.Environ(), withoutDriver+"=1", "OCL_ICD_VENDORS="+t.TempDir())
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "clGetPlatformIDs failed: no driver is installed") {
		t.Errorf("without a driver: got %v, %s", err, out)
	}
}
