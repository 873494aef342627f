package mesh

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	weftruntime "github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/mpi"
)

// summed returns a jitted function that sums pieces over four devices, and calls before on each process
// before it exchanges.
func summed(before func()) func(x weft.Array) weft.Array {
	return weft.Jit(ShardMap(func(a weft.Array) weft.Array {
		weft.DebugCallback(func(weft.Array) { before() }, a.Index(0))
		return lax.Psum(a, "d")
	}, New(Axis("d", 4)), In(P("d")), Out(P()), Unchecked()))
}

// runsPart is what a process of a job does for a test of this file. Values that are not right panic.
func runsPart(part string, rank int) error {
	f := summed(func() {})
	right := func(k int) {
		x := weft.Arange(4. * 9).Add(100 * k)
		want := x.Reshape(4, 9).Sum(0)
		if got := f(x); !got.Equal(want) {
			core.Failf(core.ErrDevice, "WRONG: got %v, want %v", got, want)
		}
	}
	report := func(err error) { fmt.Printf("%v\n", err) }
	switch part {
	case "goroutines", "goroutines that differ", "goroutines beside":
		// Several at once, one after the other in another order in each process, and beside the main one.
		var wait sync.WaitGroup
		right(0)
		for i := range 8 {
			k := i
			if rank == 1 && part == "goroutines that differ" {
				k = 7 - i
			}
			wait.Go(func() { report(core.Catch(func() { right(k) })) })
			if part == "goroutines that differ" {
				wait.Wait()
			}
		}
		if part == "goroutines beside" {
			for k := range 50 {
				right(k)
			}
		}
		wait.Wait()
	case "goroutine of one":
		if rank == 1 {
			done := make(chan error)
			go func() { done <- core.Catch(func() { right(1) }) }()
			report(<-done)
		}
		right(2)
	case "goroutines that send":
		data := make(chan int)
		go func() {
			defer close(data)
			for k := range 20 {
				data <- weft.Scalar(k).Int()
			}
		}()
		for k := range data {
			right(k)
		}
		fmt.Println("all is well")
	case "context", "caught context", "caught panic":
		ctx, end := context.WithCancelCause(context.Background())
		g := ShardMap(func(a weft.Array) weft.Array {
			weft.DebugCallback(func(weft.Array) {
				switch {
				case rank == 0:
				case part == "caught context":
					end(errors.New("the patience is over"))
				default:
					core.Failf(core.ErrDevice, "the function fails")
				}
			}, a.Index(0))
			return lax.AllGather(a, "d", 0, true) // 32 bytes of each process, as many as a run begins with
		}, New(Axis("d", 4)), In(P("d")), Out(P()), Unchecked())
		x := weft.Arange(16.)
		err := core.Catch(func() { weft.With(weft.Context(ctx), func() { weft.Jit(g)(x) }) })
		report(err)
		if rank == 1 {
			for range 3 {
				report(core.Catch(func() { right(1) }))
			}
		}
	}
	return nil
}

// Runs that other goroutines than that of Run begin are refused, whatever their order is: values are
// right or missing, and no process waits.
func TestGoroutines(t *testing.T) {
	const other = "is begun by another goroutine than the one that has called mesh.Run"
	for _, c := range []struct {
		part string
		fail bool
		want [2]string // what the processes print
	}{
		{"goroutines", true, [2]string{other, other}},
		{"goroutines that differ", true, [2]string{other, other}},
		{"goroutines beside", true, [2]string{other, other}},
		{"goroutine of one", true, [2]string{"process 1 has ended: run 1 of the job's programs " + other, other}},
		{"goroutines that send", false, [2]string{"all is well", "all is well"}},
	} {
		for range 3 {
			printed, failed := runJob(t, c.part, 2)
			for rank, want := range c.want {
				if failed[rank] != c.fail || !strings.Contains(printed[rank], want) || strings.Contains(printed[rank], "WRONG") {
					t.Errorf("%s: process %d printed %q, want %q", c.part, rank, printed[rank], want)
				}
			}
		}
	}
}

// A run that ends on its way, by an error that its caller catches, ends the job: later runs of the process
// report the reason, and so do the other processes.
func TestRunsThatEndOnTheirWay(t *testing.T) {
	for part, want := range map[string]string{
		"caught context": "run 1 of the job's programs has ended in this process while it exchanges: the patience is over",
		"caught panic":   "run 1 of the job's programs has not ended in this process: an error has ended it while it exchanges",
	} {
		printed, failed := runJob(t, part, 2)
		if n := strings.Count(printed[1], want); !failed[1] || n < 3 {
			t.Errorf("%s: process 1 printed %q, want %q 3 times", part, printed[1], want)
		}
		if want := "process 1 has ended: " + want; !failed[0] || !strings.Contains(printed[0], want) {
			t.Errorf("%s: process 0 printed %q, want %q", part, printed[0], want)
		}
	}
}

// recorder is a transport that notes its calls.
type recorder struct {
	echo
	calls *[]string
}

func (r recorder) Gather(ctx context.Context, group []int, in, out []byte) error {
	*r.calls = append(*r.calls, fmt.Sprint("gather ", len(in)))
	return r.echo.Gather(ctx, group, in, out)
}

func (r recorder) Exchange(ctx context.Context, group []int, in, out []byte) error {
	*r.calls = append(*r.calls, fmt.Sprint("exchange ", len(in)))
	return r.echo.Exchange(ctx, group, in, out)
}

func recorded(f func() error) (calls []string, err error) {
	err = Run(recorder{echo{place{size: 2}, func(int) error { return nil }}, &calls}, f)
	return calls, err
}

// Only the beginnings of runs are gathered as 32 bytes of each process, so that a transport tells them from data. All that
// processes exchange is in a run.
func TestBeginningsAreTold(t *testing.T) {
	m := New(Axis("d", 2), Axis("e", 2))
	x := weft.Arange(16.)
	gather := ShardMap(func(a weft.Array) weft.Array { return lax.AllGather(a, "d", 0, true) }, m, In(P("d")), Out(P()), Unchecked())
	for what, c := range map[string]struct {
		f    func()
		want []string
	}{
		"as many bytes":  {func() { same(t, "the rows", gather(x), weft.Concat(0, x.Index(weft.R(0, 8)), x.Index(weft.R(0, 8)))) }, []string{"gather 32", "exchange 64"}},
		"fewer bytes":    {func() { gather(weft.Arange(8.)) }, []string{"gather 32", "gather 16"}},
		"a cut array":    {func() { Gather(Put(m, P("d"), x)) }, []string{"gather 32", "exchange 64"}},
		"is whole here":  {func() { Gather(Put(m, P("e"), x)) }, nil},
		"cut anew":       {func() { Put(m, P("e"), Put(m, P("d"), weft.Arange(8.))) }, []string{"gather 32", "gather 16"}},
		"looked at":      {func() { _ = Put(m, P("d"), x).String() }, nil},
		"a sum of a sum": {func() { gather(gather(weft.Arange(8.)).Sum().Add(weft.Zeros(4))) }, []string{"gather 32", "gather 16", "gather 32", "gather 8"}},
	} {
		calls, err := recorded(func() error { c.f(); return nil })
		if err != nil || strings.Join(calls, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("%s: got %v with error %v, want %v", what, calls, err, c.want)
		}
	}
	calls, _ := recorded(func() error { Save(t.TempDir(), x); return nil })
	for i, c := range calls {
		if begins := i%2 == 0; begins != (c == "gather 32") || len(calls) < 4 {
			t.Errorf("a checkpoint: got %v, want a beginning before each exchange", calls)
		}
	}
}

// Runs of one program follow each other without a gap: small exchanges of two become one. Before a program within it that
// runs begin in, a run ends.
func TestRunsOfOneProgram(t *testing.T) {
	m := New(Axis("d", 2))
	x := weft.Arange(8.)
	sum := ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a, "d") }, m, In(P("d")), Out(P()))
	var p weft.Array
	for _, c := range []struct {
		what string
		f    func(x, p weft.Array) weft.Array
		want string
	}{
		{"two runs", func(x, p weft.Array) weft.Array { return sum(p).Add(sum(p.Mul(2)).Sum()) }, "gather 32, gather 32, exchange 64"},
		{"one depends on the other", func(x, p weft.Array) weft.Array { return sum(p.Mul(sum(p).Sum())) }, "gather 32, gather 32, gather 16, gather 16"},
		{"one in a loop after", func(x, p weft.Array) weft.Array {
			s := sum(p)
			return weft.ForI(2, func(i, c weft.Array) weft.Array { return c.Add(sum(p)) }, weft.Zeros(4)).Add(s)
		}, "gather 32, gather 16, gather 32, gather 16, gather 32, gather 16"},
		{"one on whole operands after", func(x, p weft.Array) weft.Array { return sum(p).Add(sum(x)) }, "gather 32, gather 16, gather 32, gather 16"},
	} {
		calls, err := recorded(func() error {
			p = Put(m, P("d"), x)
			f := weft.Jit(c.f)
			f(x, p)
			f(x, p)
			return nil
		})
		if got := strings.Join(calls, ", "); err != nil || got != c.want+", "+c.want {
			t.Errorf("%s: got %s with error %v, want %s twice", c.what, got, err, c.want)
		}
	}
}

// A Go function that a run calls begins no other run.
func TestRunWithinRun(t *testing.T) {
	f := summed(func() {})
	_, err := recorded(func() error {
		var within error
		outer := summed(func() { within = core.Catch(func() { f(weft.Arange(8.)) }) })
		if err := core.Catch(func() { outer(weft.Arange(8.)) }); err == nil {
			t.Error("the run goes on")
		}
		return within
	})
	if err == nil || !strings.Contains(err.Error(), "or a Go function that it calls begins another run") {
		t.Errorf("got %v", err)
	}
}

// A process that leaves in the midst of a run tells the others.
func TestLeavesWithinRun(t *testing.T) {
	_, err := recorded(func() error {
		core.Catch(func() { summed(func() { core.Failf(core.ErrDevice, "enough") })(weft.Arange(8.)) })
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "run 1 of the job's programs has not ended in this process") {
		t.Errorf("got %v", err)
	}
}

// closes is a transport whose end is looked at.
type closes struct {
	echo
	close func(cause error) error
}

func (c closes) Close(cause error) error { return c.close(cause) }

// What a transport panics with, or ends its goroutine, is an error that ends the job; both exchanges of a sum of many bytes
// report theirs.
func TestTransportsThatFail(t *testing.T) {
	const n = 1 << 17
	for _, c := range []struct {
		what   string
		before func(bytes int) error
		want   string
	}{
		{"panics", func(int) error { panic("the driver is mad") }, "panic: the driver is mad"},
		{"ends", func(int) error { runtime.Goexit(); return nil }, "the transport has ended its goroutine"},
		{"first", func(bytes int) error {
			if bytes == 4*n {
				return errors.New("the first is lost")
			}
			return nil
		}, "the first is lost"},
		{"second", func(bytes int) error {
			if bytes != 4*n {
				return errors.New("the second is lost")
			}
			return nil
		}, "the second is lost"},
	} {
		var told error
		err := Run(closes{echo{place{size: 2}, c.before}, func(cause error) error { told = cause; return nil }}, func() error {
			var err error
			for range 2 {
				f := ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a, "d") }, New(Axis("d", 4)), In(P("d")), Out(P()))
				if err = core.Catch(func() { f(weft.Arange(4. * n).AsType(weft.BFloat16)) }); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: got %v, want %q", c.what, err, c.want)
				}
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), c.want) || told == nil || !strings.Contains(told.Error(), c.want) {
			t.Errorf("%s: the job ends with %v and tells the others %v, want %q", c.what, err, told, c.want)
		}
	}
	err := Run(closes{echo{place{size: 2}, nil}, func(error) error { panic("it does not close") }}, func() error { return nil })
	if err == nil || err.Error() != "panic: it does not close" {
		t.Errorf("got %v", err)
	}
	if err := core.Catch(func() { Run((*mpi.Transport)(nil), func() error { return nil }) }); err == nil || !strings.Contains(err.Error(), "the transport is nil") {
		t.Errorf("got %v", err)
	}
}

// The programs that add up rows are bounded: another one takes the place of all.
func TestSumsAreBounded(t *testing.T) {
	sums.Lock()
	kept := sums.programs
	sums.programs = map[sumKey]*weftruntime.Compiled{}
	for k := range mostSums {
		sums.programs[sumKey{rows: core.Aval(core.Float32, 1, k+100)}] = nil
	}
	sums.Unlock()
	defer func() { sums.programs = kept }()
	for range 2 {
		rows := weft.Arange(6.).Reshape(2, 3).Value().(*weftruntime.Array)
		sum, err := sumOfRows(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the sum", weft.FromValue(sum), weft.FromSlice([]float32{3, 5, 7}, 1, 3))
	}
	if n := len(sums.programs); n != 1 {
		t.Errorf("%d programs are kept, want the latest", n)
	}
}
