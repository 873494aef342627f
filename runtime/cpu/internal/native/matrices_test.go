//go:build linux && amd64 && !purego

package native_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// Registers of matrices keep their numbers where signals interrupt the code, such as those by which Go preempts goroutines and
// profiles, while other goroutines use such registers, too.
func TestMatricesUnderSignals(t *testing.T) {
	if !native.Matrices() {
		t.Skip("the processor has no matrices, or the system does not permit them")
	}
	isa := targets(t)[0]
	const rows, cols, k = 32, 32, 16 << 10 // 2 MB of A, some 60 µs
	tile := codegen.Tile{Elem: schedule.ByteMatrix, Rows: rows, Vecs: cols / schedule.MatrixSide, Chunk: 128, Whole: true}
	code := loadMicro(t, tile, isa)
	if pprof.StartCPUProfile(new(bytes.Buffer)) == nil { // no other profile is being taken
		defer pprof.StopCPUProfile()
	}
	stop, sent := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				sent <- n
				return
			default:
				_ = unix.Kill(os.Getpid(), unix.SIGURG)
				n++
			}
		}
	}()
	until := time.Now().Add(500 * time.Millisecond)
	var wg sync.WaitGroup
	for worker := range uint64(4) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, worker))
			bytesOf := func(n int) matrix {
				m := matrix{make([]byte, 4*n), 4}
				for i := range m.mem {
					m.mem[i] = byte(r.Uint32())
				}
				return m
			}
			a, b := bytesOf(rows*k), bytesOf(k*cols)
			var want []byte
			for n := 0; n < 3 || time.Now().Before(until); n++ {
				c := bytesOf(rows * cols)
				args := &codegen.TileArgs{A: a.address(), B: b.address(), C: c.address(), LdA: 4 * k, LdB: 4 * cols, LdC: 4 * cols, K: k,
					Loops: [3]codegen.TileLoop{{Count: 1}, {Count: 1}, {Count: 1}}}
				args.SetMatrices(isa.Model(), rows, cols, schedule.MatrixSide)
				invokeMicro(t, code, args)
				runtime.KeepAlive([]matrix{a, b})
				if want == nil {
					i, j := r.IntN(rows), r.IntN(cols)
					if got, one := c.get(i*cols+j), chain(tile.Elem, 128, k, func(x int) uint64 { return a.get(i*k + x) }, func(x int) uint64 { return b.get(x*cols + j) }, 0, true); got != one {
						t.Errorf("row %d, column %d: got %d, want %d", i, j, got, one)
						return
					}
					want = c.mem
				}
				if !bytes.Equal(want, c.mem) {
					t.Errorf("call %d: other numbers than the first time", n)
					return
				}
				if worker == 0 && n%16 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	if n := <-sent; n < 100 {
		t.Errorf("got %d signals, want more", n)
	}
}
