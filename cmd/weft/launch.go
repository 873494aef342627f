package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var launchCommand = command{
	name: "launch", args: "-n N [--restarts K] [--mpiexec COMMAND] PROGRAM [ARGUMENT…]", short: "start a program on several processes, and again if one is lost",
	long: `launch starts a program with MPI's mpiexec as a job of N processes, and ends when the
job does, with its status. What stands behind PROGRAM are the program's arguments.

If the job fails, it starts again, at most --restarts times (0 unless set). If a process was lost,
that is, ended by a signal, the number of processes is the next smaller one that divides N, so that
a mesh that N processes could divide can still be divided; otherwise it is the same. The program
reads its last checkpoint when it begins (mesh.Load); WEFT_RESTART holds the number of the restart,
0 at first.

The mpiexec is that of the library that WEFT_MPI names, or else the one in PATH, unless --mpiexec
gives a command: --mpiexec "mpiexec --hostfile hosts".

    weft launch -n 4 --restarts 3 ./train --epochs 10
`,
	run: runLaunch,
}

// restartVariable names the environment variable that holds the number of the restart.
const restartVariable = "WEFT_RESTART"

// mpiVariable names the environment variable that holds the file of the MPI library, as in package
// runtime/mpi.
const mpiVariable = "WEFT_MPI"

// statedFailure is the exit status of a job in which a process reported why it fails. Package runtime/mpi uses the
// same number.
const statedFailure = 70

func runLaunch(e *env, words []string) int {
	fs := flag.NewFlagSet("weft launch", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	n := fs.Int("n", 0, "")
	restarts := fs.Int("restarts", 0, "")
	launcher := fs.String("mpiexec", "", "")
	if err := fs.Parse(words); err != nil {
		return misused(e, "launch", "%v", err)
	}
	words = fs.Args()
	switch {
	case *n < 1:
		return misused(e, "launch", "-n is the number of processes (got %d); let it be at least 1", *n)
	case *restarts < 0:
		return misused(e, "launch", "--restarts is how often the job may start again (got %d); let it be at least 0", *restarts)
	case len(words) == 0:
		return misused(e, "launch", "there is no program; name one behind the options")
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		fmt.Fprintf(e.err, "weft launch: %v; build the program first, and write its path\n", err)
		return wrong
	}
	command := strings.Fields(*launcher)
	if len(command) == 0 {
		if command, err = findLauncher(); err != nil {
			fmt.Fprintf(e.err, "weft launch: %v\n", err)
			return wrong
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for k, size := 0, *n; ; k++ {
		status, err := job(ctx, e, slices.Concat(command, []string{"-n", strconv.Itoa(size), program}, words[1:]), k)
		switch {
		case ctx.Err() != nil:
			fmt.Fprintf(e.err, "weft launch: interrupted\n")
			return wrong
		case err != nil:
			fmt.Fprintf(e.err, "weft launch: %v\n", err)
			return wrong
		case status == 0:
			return done
		}
		what := fmt.Sprintf("the job has failed with status %d", status)
		if status == statedFailure {
			what = "a process has failed, with the reason above"
		}
		if lost(status) {
			what = fmt.Sprintf("a process was lost (status %d)", status)
			size = fewer(*n, size)
		}
		if k == *restarts {
			fmt.Fprintf(e.err, "weft launch: %s; no restart is left\n", what)
			return status
		}
		fmt.Fprintf(e.err, "weft launch: %s; restart %d of %d, with %d processes\n", what, k+1, *restarts, size)
	}
}

// findLauncher returns the mpiexec of the library that WEFT_MPI names, or that in PATH.
func findLauncher() ([]string, error) {
	if lib := os.Getenv(mpiVariable); lib != "" {
		for _, up := range []string{"..", "../.."} { // from lib, and from lib/x86_64-linux-gnu
			if f, err := exec.LookPath(filepath.Join(filepath.Dir(lib), up, "bin", "mpiexec")); err == nil {
				return []string{f}, nil
			}
		}
	}
	f, err := exec.LookPath("mpiexec")
	if err != nil {
		return nil, fmt.Errorf("there is no mpiexec (%w); install an MPI (pip install mpich, or apt-get install mpich), or name its launcher with --mpiexec", err)
	}
	return []string{f}, nil
}

// job runs a job to its end, and returns its status. When ctx ends, the launcher is told to end it.
func job(ctx context.Context, e *env, command []string, restart int) (status int, err error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", restartVariable, restart))
	c.Stdout, c.Stderr = e.out, e.err
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 10 * time.Second
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return 0, err
	}
	if c.ProcessState == nil {
		return 0, ctx.Err()
	}
	if w, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), nil
	}
	return c.ProcessState.ExitCode(), nil
}

// lost reports whether the exit status of a job means that a signal ended a process: 128 plus the signal's number, as
// shells have it, or the number itself, as MPICH has it. Launchers that fail themselves exit with other numbers,
// such as 255.
func lost(status int) bool {
	signals := []int{4, 6, 7, 8, 9, 11, 15} // SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM
	return status > 128 && status <= 128+64 || slices.Contains(signals, status)
}

// fewer returns the largest divisor of n below size, 1 if there is none.
func fewer(n, size int) int {
	for k := size - 1; k > 1; k-- {
		if n%k == 0 {
			return k
		}
	}
	return 1
}
