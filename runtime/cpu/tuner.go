package cpu

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// TuningVariable is the environment variable that names a file of tuned schedules. Where it is
// set, the first compilation of a product or a convolution of some type and shape measures
// how it runs fastest on this chip, and the file keeps that for later processes. Where it is
// empty or "off", nothing is measured or read. Results never depend on it.
const TuningVariable = "WEFT_TUNING"

// tunerOfProcess returns the tuner of the file that WEFT_TUNING names, nil where there is none.
var tunerOfProcess = sync.OnceValue(func() *tuner {
	switch path := os.Getenv(TuningVariable); path {
	case "", "off":
		return nil
	default:
		return newTuner(path, native.Chip())
	}
})

// A tuner finds schedules by measuring and keeps them in a file. Nothing about the file is an
// error: what cannot be read is measured again, what cannot be written is lost.
type tuner struct {
	path, chip string
	product    func(s *fuse.Product, isa amd64.ISA, threads int) schedule // finds the fastest
	conv       func(s *fuse.Conv, isa amd64.ISA, threads int) schedule

	// searching is held while a schedule is measured: searches beside each other would disturb
	// their times. mu is held for moments only, so that known shapes never wait for a search.
	searching sync.Mutex
	mu        sync.Mutex
	known     map[tunedShape]schedule
	warned    bool
}

// newTuner returns the tuner of a file, which need not exist.
func newTuner(path, chip string) *tuner {
	t := &tuner{path: path, chip: chip, product: searchProduct, conv: searchConv, known: map[tunedShape]schedule{}}
	t.read()
	return t
}

// warn logs the first problem with the file.
func (t *tuner) warn(err error) {
	if !t.warned {
		t.warned = true
		slog.Warn(fmt.Sprintf("weft: tuned schedules are not kept: %v (%s)", err, TuningVariable))
	}
}

// add keeps a schedule. The file is replaced at once or not at all; what other processes
// added to it before stays.
func (t *tuner) add(key tunedShape, c schedule) {
	t.mu.Lock()
	t.known[key] = c
	lost := t.warned // another's file, or one that cannot be written
	t.mu.Unlock()
	if lost {
		return
	}
	unlock, err := lockFile(t.path+".lock", time.Now().Add(lockWait))
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.warn(err)
		return
	}
	defer unlock()
	if t.read(); t.warned {
		return
	}
	if err := t.write(); err != nil {
		t.warn(err)
	}
}

// lookup returns the schedule of a shape if it is known.
func (t *tuner) lookup(key tunedShape) (schedule, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.known[key]
	return c, ok
}

// schedule returns the schedule of a shape, which find finds if it is not known.
func (t *tuner) schedule(isa amd64.ISA, threads int, shape string, find func() schedule) schedule {
	key := tunedShape{t.chip, isa.String(), threads, shape}
	if c, ok := t.lookup(key); ok {
		return c
	}
	t.searching.Lock()
	defer t.searching.Unlock()
	if c, ok := t.lookup(key); ok { // found meanwhile
		return c
	}
	c := find()
	t.add(key, c)
	return c
}

// leastTuned is the number of multiplications from which a product is tuned.
const leastTuned = 1 << 12

// tunedProduct is planProduct with the schedule that the process's tuner found.
func tunedProduct(s *fuse.Product, isa amd64.ISA, threads int) (*productPlan, error) {
	return tunerOfProcess().planProduct(s, isa, threads)
}

// tunedConv is planConv with the schedule that the process's tuner found.
func tunedConv(s *fuse.Conv, isa amd64.ISA, threads int) (*convPlan, error) {
	return tunerOfProcess().planConv(s, isa, threads)
}

// planProduct plans a product. Schedules that do not fit it are left aside.
func (t *tuner) planProduct(s *fuse.Product, isa amd64.ISA, threads int) (*productPlan, error) {
	p, err := planProduct(s, isa, threads)
	if t == nil || err != nil || p.flops < leastTuned {
		return p, err
	}
	shape := fmt.Sprintf("product %v %dx%dx%d, chains of %d, A %d %d %d, B %d %d %d", s.Type, s.M, s.N, s.K, s.Chunk, s.A.Offset, s.A.Outer, s.A.K, s.B.Offset, s.B.Outer, s.B.K)
	for _, b := range s.Batch {
		shape += fmt.Sprintf(", batch %d %d %d", b.N, b.A, b.B)
	}
	if s.Pairs {
		shape += ", pairs"
	}
	c := t.schedule(isa, threads, shape, func() schedule { return t.product(s, isa, threads) })
	if !c.fits(p) {
		return p, nil
	}
	return planProductAs(s, isa, threads, c)
}

// planConv plans a convolution. Schedules that do not fit it are left aside.
func (t *tuner) planConv(s *fuse.Conv, isa amd64.ISA, threads int) (*convPlan, error) {
	p, err := planConv(s, isa, threads)
	if t == nil || err != nil || p.flops < leastTuned {
		return p, err
	}
	shape := fmt.Sprintf("convolution %v, chains of %d, batch %d, features %d, channels %d, outputs %d, groups %d %v, axes %v, kernel %d %d",
		s.Type, s.Chunk, s.Batch, s.Features, s.Channels, s.Outputs, s.Groups, s.BatchGroup, s.Axes, s.B.Outer, s.B.K)
	c := t.schedule(isa, threads, shape, func() schedule { return t.conv(s, isa, threads) })
	if !c.fits(p.productPlan) {
		return p, nil
	}
	return planConvAs(s, isa, threads, c)
}
