// Package mpijob starts jobs of MPI for tests, with each installation that the machine has for them.
package mpijob

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/devicecheck"
)

// Variable names the environment variable that lists the installations: folders with bin/mpiexec,
// separated by colons. CI sets it to those that it has installed.
const Variable = "WEFT_TEST_MPI"

// Each runs f with every installation, or skips the test if there is none.
func Each(t *testing.T, f func(t *testing.T, m MPI)) {
	t.Helper()
	list := filepath.SplitList(os.Getenv(Variable))
	if len(list) == 0 {
		devicecheck.Absent(t, "mpi", "no installation of MPI: "+Variable+" lists none; .ci/mpi installs some")
	}
	for _, dir := range list {
		t.Run(filepath.Base(dir), func(t *testing.T) { f(t, MPI(dir)) })
	}
}

// MPI is the folder of an installation.
type MPI string

// Launcher returns the file that starts jobs.
func (m MPI) Launcher() string { return filepath.Join(string(m), "bin", "mpiexec") }

// Env returns the environment in which a job of any installation starts here, as root and with more
// processes than processors. What it leaves is in tmp.
func (m MPI) Env(tmp string) []string {
	return append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe", "OMPI_MCA_rmaps_base_oversubscribe=1", "I_MPI_ROOT="+string(m), "TMPDIR="+tmp)
}

// A Result is how a job has ended.
type Result struct {
	Printed []string // to standard output, by rank
	Output  string   // of the launcher, and to standard error
	Status  int
	Took    time.Duration
}

// rankVariables hold the rank of a process, by launcher.
var rankVariables = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}

// outputVariable names the variable that holds where processes write.
const outputVariable = "WEFT_TEST_MPI_OUTPUT"

// Redirect makes standard output of a process of a job that Run has started a file of its own.
func Redirect() error {
	for _, v := range rankVariables {
		if rank := os.Getenv(v); rank != "" {
			f, err := os.Create(filepath.Join(os.Getenv(outputVariable), rank))
			if err == nil {
				os.Stdout = f
			}
			return err
		}
	}
	return fmt.Errorf("none of %v is set; start the process by Run", rankVariables)
}

// Run runs this test's program as a job of n processes, whose environment has more variables. The
// job ends within the limit, and leaves nothing.
func (m MPI) Run(t *testing.T, n int, limit time.Duration, more ...string) Result {
	t.Helper()
	return m.Start(t, n, limit, []string{m.Launcher(), "-n", strconv.Itoa(n), os.Args[0]}, more...)
}

// Start is Run for another command that starts the job.
func (m MPI) Start(t *testing.T, n int, limit time.Duration, command []string, more ...string) (r Result) {
	t.Helper()
	out, tmp := t.TempDir(), short(t)
	before := segments()
	mark := "WEFT_TEST_JOB=" + rand.Text()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(append(m.Env(tmp), mark, outputVariable+"="+out), more...)
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	c.WaitDelay = 10 * time.Second
	began := time.Now()
	err := c.Run()
	r.Took, r.Output, r.Status = time.Since(began), text.String(), c.ProcessState.ExitCode()
	if ctx.Err() != nil {
		t.Errorf("the job of %d does not end within %v: %v\n%s", n, limit, err, &text)
	}
	for k := range n {
		b, _ := os.ReadFile(filepath.Join(out, strconv.Itoa(k)))
		r.Printed = append(r.Printed, string(b))
	}
	var left []string
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left = processes(mark)
		if len(left) == 0 || time.Now().After(end) {
			break
		}
	}
	if len(left) > 0 {
		t.Errorf("the job of %d leaves processes: %s", n, strings.Join(left, "; "))
	}
	files, _ := filepath.Glob(filepath.Join(tmp, "*"))
	for _, s := range segments() {
		if !slices.Contains(before, s) {
			files = append(files, s)
		}
	}
	for _, f := range files {
		filepath.WalkDir(f, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				t.Errorf("the job of %d leaves %s", n, path)
			}
			return nil
		})
	}
	return r
}

// short returns a folder with a short name, since names of sockets have a limit.
func short(t *testing.T) string {
	dir, err := os.MkdirTemp("", "mpi")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// processes lists those whose environment contains a mark.
func processes(mark string) (all []string) {
	list, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range list {
		if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte(mark)) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			all = append(all, f+" "+string(bytes.ReplaceAll(name, []byte{0}, []byte{' '})))
		}
	}
	return all
}

// segments lists what MPI libraries have in shared memory.
func segments() (all []string) {
	for _, pattern := range []string{"*mpi*", "*MPI*", "sm_segment*", "vader*", "psm*", "ucx*"} {
		files, _ := filepath.Glob(filepath.Join("/dev/shm", pattern))
		all = append(all, files...)
	}
	return all
}
