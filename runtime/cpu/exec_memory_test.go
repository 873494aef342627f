//go:build linux && (amd64 || arm64) && !purego

package cpu_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// refuseVariable marks the process that runs without executable memory.
const refuseVariable = "WEFT_TEST_REFUSE_EXECUTABLE"

// refuseExecutable makes the system refuse executable memory to this process from now on:
// memfd_create, and mmap and mprotect with PROT_EXEC, fail with EPERM.
func refuseExecutable() error {
	const nr, protection = 0, 32 // offsets in seccomp_data: the system call, the lower half of its third argument
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	equal := func(k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	ret := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	filter := []unix.SockFilter{
		load(nr),
		equal(unix.SYS_MEMFD_CREATE, 5, 0),
		equal(unix.SYS_MMAP, 1, 0),
		equal(unix.SYS_MPROTECT, 0, 2),
		load(protection),
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.PROT_EXEC, Jt: 1, Jf: 0},
		ret(unix.SECCOMP_RET_ALLOW),
		ret(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)),
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}

// Where the system refuses executable memory, programs run on the reference executor.
func TestExecutableMemoryRefused(t *testing.T) {
	if os.Getenv(refuseVariable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestExecutableMemoryRefused$", "-test.v")
		cmd.Env = append(os.Environ(), refuseVariable+"=1", runtime.ExecutorVariable+"=")
		out, err := cmd.CombinedOutput()
		if errors.Is(err, unix.ENOEXEC) {
			t.Skip("an emulator runs this process, and the system starts none of its kind; TestMemoryRefused asks for less")
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip("the system call seccomp is not available")
		}
		return
	}
	if err := refuseExecutable(); err != nil {
		t.Skip(err)
	}
	for _, name := range cpu.Targets() {
		e, _ := runtime.Named(name)
		switch err := e.Available(); {
		case err == nil:
			t.Errorf("%s is available without executable memory", name)
		case !errors.Is(err, errors.ErrUnsupported) && !strings.Contains(err.Error(), "no executable memory"):
			t.Errorf("%s: got error %q, want the refusal of executable memory", name, err)
		}
	}
	double := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) })
	for range 3 {
		if got := double(weft.Scalar(21.)).Float(); got != 42 {
			t.Errorf("got %v, want 42", got)
		}
	}
	if got := runtime.Default(); got != runtime.Reference {
		t.Errorf("default executor: got %s, want the reference", got.Name())
	}
}
