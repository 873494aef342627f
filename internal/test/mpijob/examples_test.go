package mpijob

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/weft-go/weft/internal/test/executors" // to select one by name
)

// The first process of a job that runs an example prints what the example prints alone, and the others
// print nothing.
func TestExamplesUnderMPI(t *testing.T) {
	Each(t, func(t *testing.T, m MPI) {
		for _, name := range []string{"heat", "parallel", "tensorparallel"} {
			dir := filepath.Join("..", "..", "..", "examples", name)
			want, err := os.ReadFile(filepath.Join(dir, "testdata", "output.txt"))
			if err != nil {
				t.Fatal(err)
			}
			exe := filepath.Join(t.TempDir(), name)
			if out, err := exec.Command("go", "build", "-o", exe, "./"+dir).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
			to := `exec "$0" >"$` + outputVariable + `/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"`
			for _, n := range []int{2, 4} {
				r := m.Start(t, n, 2*time.Minute, []string{m.Launcher(), "-n", strconv.Itoa(n), "sh", "-c", to, exe})
				if r.Status != 0 || r.Printed[0] != string(want) || strings.Join(r.Printed[1:], "") != "" {
					t.Errorf("%s, %d processes: ended with status %d: %s\ngot\n%s\nwant\n%s", name, n, r.Status, r.Output, strings.Join(r.Printed, "---\n"), want)
				}
			}
		}
	})
}
