package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/mpijob"
	"github.com/weft-go/weft/runtime/mpi"
)

// stub writes a launcher that prints its arguments and the number of the restart. The variable STATUSES lists how its
// runs end: with a status, or killed by a signal.
func stub(t *testing.T) string {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	f := filepath.Join(t.TempDir(), "mpiexec")
	text := `#!/bin/sh
echo "restart $WEFT_RESTART: $*"
set -- $STATUSES
shift $WEFT_RESTART
[ "$1" = killed ] && kill -9 $$
[ "$1" = waits ] && exec sleep 60
exit $1
`
	if err := os.WriteFile(f, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLaunch(t *testing.T) {
	if statedFailure != mpi.Status {
		t.Errorf("the status of a stated failure is %d, want %d", statedFailure, mpi.Status)
	}
	if mpiVariable != mpi.Variable {
		t.Errorf("the variable of the library is %s, want %s", mpiVariable, mpi.Variable)
	}
	launcher := stub(t)
	program, _ := exec.LookPath("sh")
	for _, c := range []struct {
		words    string
		statuses string
		status   int
		sizes    []int
		errs     string
	}{
		{"-n 4", "0", done, []int{4}, ""},
		{"--n 4", "3", 3, []int{4}, "the job has failed with status 3; no restart is left"},
		{"--n 4 --restarts 3", "9 137 0", done, []int{4, 2, 1}, "a process was lost (status 9); restart 1 of 3, with 2 processes"},
		{"--n 6 --restarts 1", "killed 70", 70, []int{6, 3}, "a process has failed, with the reason above; no restart is left"},
		{"--n 8 --restarts 2", "70 1 0", done, []int{8, 8, 8}, "a process has failed, with the reason above; restart 1 of 2, with 8 processes"},
		{"--n 1 --restarts 2", "139 139 139", 139, []int{1, 1, 1}, "a process was lost (status 139); no restart is left"},
		{"--n 7 --restarts 1", "9 0", done, []int{7, 1}, ""},
		{"--n 4 --restarts 1", "255 0", done, []int{4, 4}, "the job has failed with status 255; restart 1 of 1, with 4 processes"},
	} {
		t.Setenv("STATUSES", c.statuses)
		words := append([]string{"launch"}, strings.Fields(c.words)...)
		status, out, errs := weft(t, "", append(words, "--mpiexec", launcher+" -v", "sh", "-x", "--n", "9")...)
		want := ""
		for k, n := range c.sizes {
			want += fmt.Sprintf("restart %d: -v -n %d %s -x --n 9\n", k, n, program)
		}
		if status != c.status || out != want || !strings.Contains(errs, c.errs) {
			t.Errorf("%s, statuses %s: got status %d, want %d;\n%swant\n%s%swant %q", c.words, c.statuses, status, c.status, out, want, errs, c.errs)
		}
	}
}

func TestLaunchMistakes(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words  []string
		status int
		want   string
	}{
		{[]string{self}, usage, "-n is the number of processes (got 0); let it be at least 1"},
		{[]string{"--n", "x", self}, usage, "invalid value"},
		{[]string{"--n", "2", "--restarts", "-1", self}, usage, "let it be at least 0"},
		{[]string{"--n", "2"}, usage, "there is no program"},
		{[]string{"--n", "2", "no-such-program"}, wrong, "build the program first"},
		{[]string{"--n", "2", self}, wrong, "there is no mpiexec"},
		{[]string{"--n", "2", "--mpiexec", "/no/mpiexec", self}, wrong, "/no/mpiexec"},
	} {
		status, _, errs := weft(t, "", append([]string{"launch"}, c.words...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: got status %d, want %d; %swant %q", c.words, status, c.status, errs, c.want)
		}
	}
}

// The launcher is the one beside the library that WEFT_MPI names.
func TestLauncherOfLibrary(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"bin", "lib/x86_64-linux-gnu"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(stub(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bin", "mpiexec"), b, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, lib := range []string{"lib/libmpi.so", "lib/x86_64-linux-gnu/libmpi.so"} {
		t.Setenv("WEFT_MPI", filepath.Join(dir, lib))
		if got, err := findLauncher(); err != nil || got[0] != filepath.Join(dir, "bin", "mpiexec") {
			t.Errorf("%s: got %v, %v", lib, got, err)
		}
	}
}

// Under each MPI, training goes on with 2 of 4 processes when one is killed. The losses are the same as in undisturbed
// training.
func TestLaunchMPI(t *testing.T) {
	mpijob.Each(t, func(t *testing.T, m mpijob.MPI) {
		dir := t.TempDir()
		weft, program := filepath.Join(dir, "weft"), filepath.Join(dir, "train")
		for out, pkg := range map[string]string{weft: ".", program: "./testdata/killed"} {
			if b, err := exec.Command("go", "build", "-o", out, pkg).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
		}
		alone := m.Start(t, 1, time.Minute, []string{m.Launcher(), "-n", "1", program, t.TempDir(), "none"})
		losses, _, ok := strings.Cut(alone.Printed[0], "from step 0\n")
		if !ok {
			t.Fatalf("undisturbed: got %q, %s", alone.Printed[0], alone.Output)
		}
		r := m.Start(t, 2, time.Minute, []string{weft, "launch", "-n", "4", "--restarts", "3", "--mpiexec", m.Launcher(), program, t.TempDir(), "3"})
		want := losses + "from step 3\n"
		for k, got := range r.Printed {
			if got != want {
				t.Errorf("process %d: got %q, want %q", k, got, want)
			}
		}
		if r.Status != 0 || !bytes.Contains([]byte(r.Output), []byte("restart 1 of 3, with 2 processes")) {
			t.Errorf("status %d: %s", r.Status, r.Output)
		}
	})
}
