package devicecheck

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// RequireVariable names the environment variable that lists what a machine must have, separated by
// commas: drivers ("cuda", "opencl") and the simulator "oclgrind".
const RequireVariable = "WEFT_REQUIRE"

// Absent ends a test that needs something that the machine lacks. The test is skipped, but fails
// if [RequireVariable] lists it, as in continuous integration, which installs it and would
// otherwise test nothing.
func Absent(t testing.TB, what string, why ...any) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv(RequireVariable), ","), what) {
		t.Fatal(append([]any{what, "is required by " + RequireVariable + ", and absent:"}, why...)...)
	}
	t.Skip(why...)
}
