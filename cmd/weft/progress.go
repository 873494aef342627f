package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// When progress is shown at a terminal, and how often it changes.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// progress shows what a long-running command does, in a line at the terminal that is removed before anything else is
// written. A nil *progress shows nothing.
type progress struct {
	screen  io.Writer
	command string
	start   time.Time
	stop    chan struct{}
	ended   sync.WaitGroup

	mu    sync.Mutex
	what  string
	count tally // of bytes, nil if nothing is counted
	shown bool
}

// A tally counts what was read. Size returns the total, or 0 if it is unknown.
type tally interface {
	Count() int64
	Size() int64
}

// newProgress returns the progress of a command on a screen, or nil if the screen is not a terminal, or a dumb one.
func newProgress(screen io.Writer, command string) *progress {
	f, ok := screen.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return startProgress(screen, command, progressAfter, progressEvery)
}

func startProgress(screen io.Writer, command string, after, every time.Duration) *progress {
	p := &progress{screen: screen, command: command, what: command, start: time.Now(), stop: make(chan struct{})}
	p.ended.Go(func() {
		timer := time.NewTimer(after)
		defer timer.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-timer.C:
			}
			p.show()
			timer.Reset(every)
		}
	})
	return p
}

// name returns the command, "" if no progress is shown.
func (p *progress) name() string {
	if p == nil {
		return ""
	}
	return p.command
}

// during sets what the line shows: what the command does from now on, and a count, which may be nil.
func (p *progress) during(what string, count tally) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what, p.count = what, count
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.what
	if p.count != nil {
		const mega = 1e6
		text += fmt.Sprintf(", %.0f MB", float64(p.count.Count())/mega)
		if n := p.count.Size(); n > 0 {
			text += fmt.Sprintf(" of %.0f", float64(n)/mega)
		}
	}
	fmt.Fprintf(p.screen, "\r\x1b[K%s, %.0f s", text, time.Since(p.start).Seconds())
	p.shown = true
}

// clear removes the line. The caller holds the lock.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.screen, "\r\x1b[K")
		p.shown = false
	}
}

// end removes the line for good.
func (p *progress) end() {
	if p == nil {
		return
	}
	close(p.stop)
	p.ended.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// writer returns a writer to w that removes the line before each write.
func (p *progress) writer(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return &aboveProgress{p, w}
}

type aboveProgress struct {
	p *progress
	w io.Writer
}

// Write removes the line and writes b.
func (a *aboveProgress) Write(b []byte) (int, error) {
	a.p.mu.Lock()
	defer a.p.mu.Unlock()
	a.p.clear()
	return a.w.Write(b)
}
