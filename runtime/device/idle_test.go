package device

import (
	"errors"
	"slices"
	"testing"
)

// idle is a driver that uploads, of which all commands have run.
type idle struct {
	counting
	joined []Mark // uploads for which commands wait
	failed error  // of Join
}

func (i *idle) Join(m Mark) error {
	i.joined = append(i.joined, m)
	return i.failed
}

func (*idle) Last() Mark { return 0 }

func (*idle) Over(Mark) bool { return true }

func (*idle) Upload(Memory, []byte, Mark) (Mark, error) { return 0, nil }

func (*idle) Arrived(Mark) error { return nil }

// Uploads take the memory that was put back longest ago, whatever kernels have taken of it meanwhile.
func TestUploadsTakeWhatIsIdleLongest(t *testing.T) {
	d := &idle{counting: counting{total: 1 << 20}}
	p := &pool{d: d}
	var bs []*block
	for range 5 {
		b, err := p.lend(256, nil)
		if err != nil {
			t.Fatal(err)
		}
		bs = append(bs, b)
	}
	for _, b := range bs {
		p.put(b)
	}
	if b := p.take(256, bs[1]); b != bs[1] {
		t.Error("a kernel takes other memory than before")
	}
	for i, want := range []*block{bs[0], bs[2], bs[3], bs[4]} {
		if p.takeIdle(d, 256) != want {
			t.Errorf("upload %d takes memory that was put back later than other", i)
		}
	}
}

// Memory to which an upload may still be on its way is given to commands, or back to the driver, after the stream waits for the upload.
func TestCommandsWaitForUploadsToTheirMemory(t *testing.T) {
	d := &idle{counting: counting{total: 1 << 20}}
	p := &pool{d: d}
	upload := func(m Mark) *block {
		t.Helper()
		x, got, err := p.received(d, 256, func(Memory, Mark) (Mark, error) { return m, nil })
		if err != nil || got != m {
			t.Fatalf("got %v, %v, want %v", got, err, m)
		}
		x.release()
		return x.block
	}
	waits := func(want ...Mark) {
		t.Helper()
		if !slices.Equal(d.joined, want) {
			t.Errorf("commands wait for %v, want %v", d.joined, want)
		}
	}
	sent := upload(3)
	b, err := p.lend(256, nil)
	if err != nil || b != sent {
		t.Fatalf("got %v, %v, want the memory of the upload", b, err)
	}
	waits(3)
	p.put(b)
	if b, err = p.lend(256, nil); err != nil {
		t.Fatal(err)
	}
	waits(3) // once
	p.put(b)
	upload(4)
	d.failed = errors.New("lost")
	if _, err := p.lend(256, nil); !errors.Is(err, d.failed) || p.inUse() != 0 {
		t.Errorf("got %v, %d bytes are in use", err, p.inUse())
	}
	waits(3, 4)
	d.failed = nil
	p.trim()
	waits(3, 4, 4)
	if bytes, _ := d.state(); bytes != 0 {
		t.Errorf("%d bytes are left", bytes)
	}
}

// limited is a driver with a limit.
type limited struct {
	counting
	limit  int
	during func() // called by the next allocation
}

func (l *limited) Limit() (int, string) { return l.limit, "the test" }

func (l *limited) Alloc(n int) (Memory, error) {
	if f := l.during; f != nil {
		l.during = nil
		f()
	}
	return l.counting.Alloc(n)
}

// Allocations that run at the same time are within the limit together. Failed allocations do not count.
func TestLimitOfAllocationsAtOnce(t *testing.T) {
	l := &limited{counting: counting{total: 1000}, limit: 1000}
	p := &pool{d: l}
	l.during = func() {
		if _, err := p.allocate(600); !outOfMemory(err) {
			t.Errorf("got %v, want an error about memory", err)
		}
	}
	if _, err := p.allocate(600); err != nil {
		t.Error(err)
	}
	l.limit = 2000
	if _, err := p.allocate(600); !outOfMemory(err) {
		t.Errorf("the driver has no more: got %v", err)
	}
	if p.used != 600 || p.lent == nil || p.lent.after != nil {
		t.Errorf("%d bytes are given out, want 600", p.used)
	}
	l.limit = 500
	if n := p.capacity(); n != 500 {
		t.Errorf("the capacity under a limit is %d, want 500", n)
	}
	if l.limit = 0; p.capacity() != 1000 {
		t.Errorf("the capacity without a limit is %d, want 1000", p.capacity())
	}
}
