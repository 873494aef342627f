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

// Absent ends a test that needs what the machine lacks. The test is skipped, or has failed where
// [RequireVariable] lists what is absent: continuous integration, which has installed it, tests nothing otherwise.
func Absent(t testing.TB, what string, why ...any) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv(RequireVariable), ","), what) {
		t.Fatal(append([]any{what, "is required by " + RequireVariable + ", and absent:"}, why...)...)
	}
	t.Skip(why...)
}
