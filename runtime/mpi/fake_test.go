//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/fakempi"
)

// abiNames contains the name of each ABI, and the file of the fake library that has it.
var abiNames = map[fakempi.ABI][2]string{
	fakempi.Standard: {"standard", "/fake/libmpi_abi.so.1"},
	fakempi.MPICH:    {"MPICH", "/fake/libmpi.so.12"},
	fakempi.OpenMPI:  {"Open MPI", "/fake/libmpi.so.40"},
}

// fake returns the transport of a rank in a job of a fake library.
func fake(w *fakempi.World, abi fakempi.ABI, rank int) (*Transport, error) {
	l, err := newLibrary(abiNames[abi][1], w.Rank(rank).Symbol)
	if err != nil {
		return nil, err
	}
	return begin(l)
}

// job runs work in a goroutine for each rank of a job, and returns their errors. Ranks do not exit:
// where a process would, the goroutine returns.
func job(t *testing.T, abi fakempi.ABI, w *fakempi.World, size int, work func(t *Transport) error) []error {
	t.Helper()
	exit = func(int) {}
	errs := make([]error, size)
	var wait sync.WaitGroup
	for k := range size {
		wait.Go(func() {
			p, err := fake(w, abi, k)
			if err == nil {
				err = work(p)
			} else {
				w.Kill() // as launchers do if a process ends
			}
			errs[k] = err
		})
	}
	done := make(chan bool)
	go func() { wait.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the job does not end")
	}
	return errs
}

// everyABI runs f with each ABI, with and without memory shared between processes.
func everyABI(t *testing.T, f func(t *testing.T, abi fakempi.ABI)) {
	defer func() { sharing = true }()
	for abi, names := range abiNames {
		for _, sharing = range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, sharing %v", names[0], sharing), func(t *testing.T) { f(t, abi) })
		}
	}
}

// group returns the ranks from lo to hi.
func group(lo, hi int) (ranks []int) {
	for k := lo; k < hi; k++ {
		ranks = append(ranks, k)
	}
	return ranks
}

// pattern returns n bytes that a rank sends to another.
func pattern(n, from, to int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(7*i + i>>8 + 31*from + 17*to)
	}
	return b
}

// exchanges runs each kind of exchange with n bytes.
func exchanges(p *Transport, n int) error {
	rank, size := p.Rank()
	ctx := context.Background()
	all := group(0, size)
	groups := [][]int{all}
	if size == 4 {
		groups = append(groups, []int{rank % 2, rank%2 + 2})
	}
	for _, g := range groups {
		var in, want []byte
		for _, k := range g {
			in, want = append(in, pattern(n, rank, k)...), append(want, pattern(n, k, rank)...)
		}
		out := make([]byte, len(want))
		if err := p.Exchange(ctx, g, in, out); err != nil || !bytes.Equal(out, want) {
			return fmt.Errorf("exchange of %d in %v: error %v, equal %v", n, g, err, bytes.Equal(out, want))
		}
		want = nil
		for _, k := range g {
			want = append(want, pattern(n, k, 99)...)
		}
		out = make([]byte, len(want))
		if err := p.Gather(ctx, g, pattern(n, rank, 99), out); err != nil || !bytes.Equal(out, want) {
			return fmt.Errorf("gather of %d in %v: error %v, equal %v", n, g, err, bytes.Equal(out, want))
		}
	}
	out := make([]byte, n)
	if err := p.Permute(ctx, (rank+1)%size, (rank+size-1)%size, pattern(n, rank, 3), out); err != nil || !bytes.Equal(out, pattern(n, (rank+size-1)%size, 3)) {
		return fmt.Errorf("permutation of %d: error %v", n, err)
	}
	to, from := rank+1, rank-1 // a line: the last one sends to nobody
	if to == size {
		to = -1
	}
	out = pattern(n, 5, 5)
	if err := p.Permute(ctx, to, from, pattern(n, rank, 3), out); err != nil {
		return err
	}
	want := pattern(n, from, 3)
	if from < 0 {
		want = pattern(n, 5, 5)
	}
	if !bytes.Equal(out, want) {
		return fmt.Errorf("line of %d: bytes differ", n)
	}
	return nil
}

func TestExchanges(t *testing.T) {
	everyABI(t, func(t *testing.T, abi fakempi.ABI) {
		for _, size := range []int{1, 2, 4} {
			for _, most := range []int{0, 5000} { // bytes of a message
				w := fakempi.New(abi, size)
				errs := job(t, abi, w, size, func(p *Transport) error {
					if most > 0 {
						p.lib.most = most
					}
					for _, n := range []int{8, 0, 1, firstBytes - headerBytes, firstBytes - headerBytes + 1, 100_000, 3, 16_000} {
						if err := exchanges(p, n); err != nil {
							return err
						}
					}
					return p.Close(nil)
				})
				for k, err := range errs {
					if r := w.Rank(k); err != nil || r.Mistake() != "" || r.Active() > 0 || r.Calls("MPI_Finalize") != 1 {
						t.Errorf("rank %d of %d: error %v, mistake %q, %d active requests, %d times finalized", k, size, err, r.Mistake(), r.Active(), r.Calls("MPI_Finalize"))
					}
				}
			}
		}
	})
}

// Each function fails in its first, a middle and its last call: the error names it, and the job ends.
func TestFailures(t *testing.T) {
	everyABI(t, func(t *testing.T, abi fakempi.ABI) {
		work := func(p *Transport) (err error) {
			defer func() { err = errors.Join(err, p.Close(err)) }()
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			for _, n := range []int{8, 10_000, 8} {
				out := make([]byte, 2*n)
				if err := p.Gather(ctx, group(0, 2), make([]byte, n), out); err != nil {
					return err
				}
			}
			return nil
		}
		w := fakempi.New(abi, 2)
		for k, err := range job(t, abi, w, 2, work) {
			if err != nil {
				t.Fatalf("rank %d: %v", k, err)
			}
		}
		tested := 0
		for _, name := range fakempi.Names() {
			calls := w.Rank(1).Calls(name)
			switch name {
			case "MPI_Testsome":
				calls = min(calls, 6) // each run polls at least as often
			case "MPI_Iprobe": // called only in long waits: see TestWaitFails
				calls = 0
			}
			for _, after := range slices.Compact([]int{0, calls / 2, calls - 1}) {
				if calls == 0 || after == calls {
					continue
				}
				tested++
				w := fakempi.New(abi, 2)
				w.Rank(1).Fail(name, after, 37)
				errs := job(t, abi, w, 2, work)
				if err := errs[0]; err != nil && !strings.Contains(err.Error(), "error 60 of the fake library") { // the job has ended
					t.Errorf("%s after %d: rank 0: %v", name, after, err)
				}
				var e *Error
				if !errors.As(errs[1], &e) || e.Function != name || e.Code != 37 || e.Text != "error 37 of the fake library" {
					t.Errorf("%s after %d: got %v", name, after, errs[1])
				}
				if began := w.Rank(1).Calls("MPI_Isend")+w.Rank(1).Calls("MPI_Isend_c") > 0; began && name != "MPI_Finalize" && w.Aborted() != Status {
					t.Errorf("%s after %d: the job has ended with status %d, want %d", name, after, w.Aborted(), Status)
				}
				for k := range 2 {
					if m := w.Rank(k).Mistake(); m != "" {
						t.Errorf("%s after %d: rank %d: %s", name, after, k, m)
					}
				}
			}
		}
		if tested < 15 {
			t.Errorf("only %d failures were tested", tested)
		}
	})
}

// Processes whose exchanges differ end with errors that describe the difference.
func TestDifferences(t *testing.T) {
	two := group(0, 2)
	bg := context.Background()
	for name, c := range map[string]struct {
		work [2]func(p *Transport) error
		want [2]string
	}{
		"sizes": {
			[2]func(p *Transport) error{
				func(p *Transport) error { return p.Gather(bg, two, make([]byte, 8), make([]byte, 16)) },
				func(p *Transport) error { return p.Gather(bg, two, make([]byte, 90_000), make([]byte, 180_000)) },
			},
			[2]string{"process 1 sends 90000 bytes of kind g (want 8 of kind g); run the same program in each process", "process 0 sends 8 bytes"},
		},
		"kinds": {
			[2]func(p *Transport) error{
				func(p *Transport) error { return p.Gather(bg, two, make([]byte, 8), make([]byte, 16)) },
				func(p *Transport) error { return p.Exchange(bg, two, make([]byte, 16), make([]byte, 16)) },
			},
			[2]string{"process 1 sends 8 bytes of kind x (want 8 of kind g)", "process 0 sends 8 bytes of kind g (want 8 of kind x)"},
		},
		"one leaves": {
			[2]func(p *Transport) error{
				func(p *Transport) error { return p.Gather(bg, two, make([]byte, 8), make([]byte, 16)) },
				func(p *Transport) error { return nil },
			},
			[2]string{"process 1 has left the job at an exchange of this one", "process 0 is at an exchange, and this one leaves the job"},
		},
	} {
		w := fakempi.New(fakempi.Standard, 2)
		errs := job(t, fakempi.Standard, w, 2, func(p *Transport) error {
			err := c.work[p.rank](p)
			return errors.Join(err, p.Close(err))
		})
		found := 0
		for k, err := range errs {
			switch { // the one that ends the job may keep the other from seeing why
			case err != nil && strings.Contains(err.Error(), c.want[k]):
				found++
			case err == nil || !strings.Contains(err.Error(), "error 60"):
				t.Errorf("%s: rank %d: got %v, want %q", name, k, err, c.want[k])
			}
		}
		if found == 0 || w.Aborted() != Status {
			t.Errorf("%s: %v; ended with status %d", name, errs, w.Aborted())
		}
	}
}

// A context ends a wait with an error that names the late processes. Afterwards all exchanges fail.
func TestContextEnds(t *testing.T) {
	w := fakempi.New(fakempi.Standard, 4)
	cause := errors.New("enough")
	release := make(chan bool)
	errs := job(t, fakempi.Standard, w, 4, func(p *Transport) error {
		if p.rank == 1 || p.rank == 3 {
			<-release
			return nil
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
		g := group(0, 4)
		if p.rank != 0 {
			time.Sleep(200 * time.Millisecond)
			close(release)
			return nil
		}
		err := p.Gather(ctx, g, make([]byte, 8), make([]byte, 32))
		if again := p.Gather(context.Background(), g, make([]byte, 8), make([]byte, 32)); !errors.Is(again, cause) || !strings.Contains(again.Error(), "an earlier exchange has failed") {
			t.Errorf("again: got %v", again)
		}
		if err := p.Close(nil); !errors.Is(err, cause) {
			t.Errorf("close: got %v", err)
		}
		if err := p.Gather(context.Background(), g, nil, nil); err == nil || !strings.Contains(err.Error(), "has left the job") {
			t.Errorf("after the end: got %v", err)
		}
		return err
	})
	if err := errs[0]; !errors.Is(err, cause) || !strings.Contains(err.Error(), "waiting for processes [1 2 3]") {
		t.Errorf("got %v", err)
	}
	if w.Aborted() != Status {
		t.Errorf("the job has ended with status %d, want %d", w.Aborted(), Status)
	}
}

// First messages between processes of a machine go through memory: the library sees only the two
// meetings at the beginning, and bytes that a first message has no room for. A process that sends
// more than its box holds waits. Nothing stays mapped or open.
func TestBoxes(t *testing.T) {
	mapped := func() int { // failed jobs of other tests, whose processes would have ended, keep some
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(maps, []byte(segmentName))
	}
	before := mapped()
	w := fakempi.New(fakempi.Standard, 2)
	const messages = 5 * boxSlots
	errs := job(t, fakempi.Standard, w, 2, func(p *Transport) error {
		ctx := context.Background()
		for i := range messages {
			n := 200 * i
			if p.rank == 0 {
				if err := p.Permute(ctx, 1, -1, pattern(n, i, 0), nil); err != nil {
					return err
				}
				continue
			}
			if i%boxSlots == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			out := make([]byte, n)
			if err := p.Permute(ctx, -1, 0, nil, out); err != nil || !bytes.Equal(out, pattern(n, i, 0)) {
				return fmt.Errorf("message %d: error %v, equal %v", i, err, bytes.Equal(out, pattern(n, i, 0)))
			}
		}
		if n := w.Rank(p.rank).Calls("MPI_Isend_c"); n != 2 {
			t.Errorf("rank %d: the library sends %d messages, want 2", p.rank, n)
		}
		if err := exchanges(p, 10_000); err != nil {
			return err
		}
		return p.Close(nil)
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if n := mapped(); n != before {
		t.Errorf("%d pieces of memory of boxes are mapped, %d were before", n, before)
	}
	files, _ := filepath.Glob("/proc/self/fd/*")
	for _, f := range files {
		if name, err := os.Readlink(f); err == nil && strings.Contains(name, segmentName) {
			t.Errorf("%s stays open: %s", f, name)
		}
	}
}

// Memory is shared only with the process that has announced it: on another machine the same process
// ID and descriptor may belong to any other file.
func TestForeignAnnouncements(t *testing.T) {
	s := newSegment(2)
	if s == nil {
		t.Skip("the system has no memory for boxes")
	}
	defer unmap(s.memory)
	defer s.closeFile()
	right := s.announcement()
	box := boxOf(right, 1, 2)
	if box == nil {
		t.Fatal("the own segment is not found")
	}
	defer unmap(box)
	box[5] = 77
	if s.memory[boxBytes+5] != 77 {
		t.Error("the box is other memory than that of the segment")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for at, value := range map[int]byte{16: right[16] + 1, 31: right[31] + 1, 8: byte(f.Fd()), 9: 200} {
		wrong := slices.Clone(right)
		wrong[at] = value
		if boxOf(wrong, 1, 2) != nil {
			t.Errorf("a segment is found with byte %d changed", at)
		}
	}
	if boxOf(make([]byte, announced), 1, 2) != nil {
		t.Error("the segment of a process is found that has none")
	}
}

// A process that waits for a box sees when the library fails, as it does when the job ends.
func TestWaitFails(t *testing.T) {
	w := fakempi.New(fakempi.Standard, 2)
	w.Rank(1).Fail("MPI_Iprobe", 3, 37)
	errs := job(t, fakempi.Standard, w, 2, func(p *Transport) error {
		if p.rank == 1 {
			err := p.Gather(context.Background(), group(0, 2), make([]byte, 8), make([]byte, 16))
			return errors.Join(err, p.Close(err))
		}
		for w.Aborted() == 0 {
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	var e *Error
	if !errors.As(errs[1], &e) || e.Function != "MPI_Iprobe" || e.Code != 37 || w.Aborted() != Status {
		t.Errorf("got %v; the job has ended with status %d", errs, w.Aborted())
	}
}

// Wrong arguments are errors here; the library does not see them.
func TestArguments(t *testing.T) {
	w := fakempi.New(fakempi.Standard, 2)
	bg := context.Background()
	errs := job(t, fakempi.Standard, w, 2, func(p *Transport) error {
		two, before := group(0, 2), w.Rank(p.rank).Calls("MPI_Isend_c")
		for _, err := range []error{
			p.Gather(bg, two, make([]byte, 8), make([]byte, 15)),
			p.Gather(bg, []int{1, 0}, make([]byte, 8), make([]byte, 16)),
			p.Gather(bg, []int{0, 1, 1}, make([]byte, 8), make([]byte, 24)),
			p.Gather(bg, []int{-1, 0, 1}, make([]byte, 8), make([]byte, 24)),
			p.Gather(bg, []int{1 - p.rank}, make([]byte, 8), make([]byte, 8)),
			p.Gather(bg, nil, nil, nil),
			p.Exchange(bg, two, make([]byte, 9), make([]byte, 8)),
			p.Exchange(bg, two, make([]byte, 9), make([]byte, 9)),
			p.Exchange(bg, nil, nil, nil),
			p.Permute(bg, 2, 0, nil, nil),
			p.Permute(bg, 0, -2, nil, nil),
			p.Permute(bg, p.rank, 1-p.rank, nil, nil),
			p.Permute(bg, p.rank, p.rank, make([]byte, 2), make([]byte, 1)),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), "mpi: ") {
				t.Errorf("got error %v", err)
			}
		}
		if n := w.Rank(p.rank).Calls("MPI_Isend_c") - before; n > 0 {
			t.Errorf("%d messages were sent", n)
		}
		return errors.Join(exchanges(p, 8), p.Close(nil), p.Close(nil))
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// Libraries that are too old, too new or unknown are refused with errors that name the fix.
func TestLibraries(t *testing.T) {
	for _, c := range []struct {
		abi     fakempi.ABI
		version string
		major   int32
		thread  int32
		want    string
	}{
		{fakempi.Standard, "", 2, 0, "has version 2 of MPI's standard ABI (want 1); install MPICH 5"},
		{fakempi.MPICH, "Some MPI 7", 1, 0, `is "Some MPI 7", whose ABI is not understood; use its libmpi_abi.so.1`},
		{fakempi.OpenMPI, "Open MPI v6.0.0", 1, 0, `is "Open MPI v6.0.0" (want Open MPI 3 to 5 for this ABI)`},
		{fakempi.OpenMPI, "Open MPI v2.1.1, package", 1, 0, "install Open MPI 5"},
		{fakempi.MPICH, "", 1, 1, "allows calls of its first thread only (level 1, want 2); install one that was built with threads"},
		{fakempi.MPICH, "Intel(R) MPI Library 2021.19", 1, 0, ""},
	} {
		w := fakempi.New(c.abi, 1)
		w.Major, w.Thread = c.major, c.thread
		if c.version != "" {
			w.Version = c.version
		}
		p, err := fake(w, c.abi, 0)
		if c.want == "" {
			if err != nil || p.lib.version != c.version {
				t.Errorf("%q: got %v", c.version, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	w := fakempi.New(fakempi.Standard, 1)
	p, err := fake(w, fakempi.Standard, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fake(w, fakempi.Standard, 0); err == nil || !strings.Contains(err.Error(), "open it once") {
		t.Errorf("opened twice: got %v", err)
	}
	if err := p.Close(nil); err != nil {
		t.Error(err)
	}
}

// A launcher of another MPI is an error, since each of its processes would be a job of its own.
func TestLauncherOfAnotherMPI(t *testing.T) {
	t.Setenv("OMPI_COMM_WORLD_SIZE", "")
	t.Setenv("PMI_SIZE", "4")
	w := fakempi.New(fakempi.Standard, 1)
	if _, err := fake(w, fakempi.Standard, 0); err == nil || !strings.Contains(err.Error(), "the launcher has started 4 processes, but each is alone in /fake/libmpi_abi.so.1") {
		t.Errorf("got %v", err)
	}
	if w.Rank(0).Calls("MPI_Finalize") != 1 {
		t.Error("MPI is not finalized")
	}
}

func TestMissing(t *testing.T) {
	for _, v := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"} {
		t.Setenv(v, "")
	}
	if launched() {
		t.Error("no launcher has started this process")
	}
	for file, want := range map[string]string{
		"/nowhere/libmpi.so": "WEFT_MPI=/nowhere/libmpi.so cannot be loaded",
		"libm.so.6":          "libm.so.6 is not an MPI library: it has no MPI_Init_thread; let WEFT_MPI name one",
	} {
		t.Setenv(Variable, file)
		if _, err := Open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", file, err)
		}
		if about, err := About(); err == nil {
			t.Errorf("%s: is described as %s", file, about)
		}
	}
	os.Unsetenv(Variable)
	t.Setenv("PATH", t.TempDir())
	for _, f := range files() {
		if strings.Contains(f, "/") {
			t.Errorf("%s is tried, and there is no launcher", f)
		}
	}
	t.Setenv("PMIX_RANK", "0")
	if !launched() {
		t.Error("a launcher has started this process")
	}
	// A rank without the rest, as an environment that was passed on has it.
	t.Setenv("PMIX_RANK", "")
	t.Setenv("PMI_RANK", "3")
	if about, err := About(); err == nil {
		t.Logf("the system has a library: %s", about)
	} else if want := "or unset PMI_RANK if no launcher has"; !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "PMI_RANK=3 states") {
		t.Errorf("got %v, want %q", err, want)
	}
}
