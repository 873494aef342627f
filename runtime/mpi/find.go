package mpi

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Variable names the environment variable that holds the file of the MPI library to load.
const Variable = "WEFT_MPI"

// started returns the environment variable by which a launcher states that it has started this process,
// "" if none does, and the number of processes, 1 if it states none.
func started() (by string, n int) {
	for _, v := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"} {
		if n, err := strconv.Atoi(os.Getenv(v)); err == nil && n > 0 {
			return v, n
		}
	}
	for _, v := range []string{"PMIX_RANK", "PMI_RANK"} {
		if os.Getenv(v) != "" {
			n, _ := strconv.Atoi(os.Getenv("SLURM_STEP_NUM_TASKS"))
			return v, max(n, 1)
		}
	}
	return "", 0
}

// launched reports whether a launcher (mpiexec, srun) states in the environment that it has started the
// process.
func launched() bool {
	by, _ := started()
	return by != ""
}

// files returns the files to try: the one that the environment names or else, the best first, libraries beside the
// launcher, and then names that the system searches for. In both groups the names that the launcher's MPI uses come first.
func files() []string {
	if f := os.Getenv(Variable); f != "" {
		return []string{f}
	}
	names := []string{"libmpi_abi.so.1", "libmpi.so.40", "libmpi.so.12", "libmpich.so.12"}
	switch {
	case os.Getenv("OMPI_COMM_WORLD_SIZE") != "":
		names = []string{"libmpi.so.40", "libmpi_abi.so.1"}
	case os.Getenv("PMI_RANK") != "":
		names = []string{"libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12", "libmpi.so.40"}
	}
	var dirs []string
	add := func(launcher string, err error) {
		if err == nil {
			if real, err := filepath.EvalSymlinks(launcher); err == nil {
				root := filepath.Dir(filepath.Dir(real))
				dirs = append(dirs, filepath.Join(root, "lib"), filepath.Join(root, "lib64"))
			}
		}
	}
	if launched() { // an ancestor of the process belongs to the launcher
		for pid, n := os.Getppid(), 0; pid > 1 && n < 8; pid, n = parent(pid), n+1 {
			add(os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)))
		}
	}
	add(exec.LookPath("mpiexec"))
	var all []string
	for _, d := range dirs {
		for _, n := range names {
			if f := filepath.Join(d, n); exists(f) {
				all = append(all, f)
			}
		}
	}
	return append(all, names...)
}

// parent returns the parent of a process, 0 if that is unknown.
func parent(pid int) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, s, _ := strings.Cut(string(b), "\nPPid:")
	s, _, _ = strings.Cut(s, "\n")
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// find loads the first of the files that can be loaded.
func find() (*library, error) {
	var first error
	for _, f := range files() {
		lib, err := open(f)
		if err == nil {
			l, err := newLibrary(f, func(name string) (uintptr, error) { return symbol(lib, name) })
			if err != nil {
				return nil, err
			}
			if strings.Contains(l.version, "MPICH") {
				l.begun, l.ended = removeSegments, func() { exitHandlers(lib) }
			}
			return l, nil
		}
		first = cmp.Or(first, err)
	}
	if errors.Is(first, errors.ErrUnsupported) {
		return nil, fmt.Errorf("mpi: %w", first)
	}
	if f := os.Getenv(Variable); f != "" {
		return nil, fmt.Errorf("mpi: %s=%s cannot be loaded (%w); let it name the library of the MPI whose mpiexec starts the program, as /opt/mpich/lib/libmpi_abi.so.1", Variable, f, first)
	}
	fix := fmt.Sprintf("install one (pip install mpich, or apt-get install mpich), or let %s name its file", Variable)
	if by, _ := started(); by != "" {
		fix = fmt.Sprintf("%s=%s states that an MPI launcher has started this process; %s, or unset %s if no launcher has", by, os.Getenv(by), fix, by)
	}
	return nil, fmt.Errorf("mpi: there is no MPI library (%w); %s", first, fix)
}

// About describes the library that [Open] would load: its file, ABI and version.
func About() (string, error) {
	l, err := find()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (%s ABI, %s)", l.file, l.abi.name, l.version), nil
}
