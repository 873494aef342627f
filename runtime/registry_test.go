package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

func TestExecutorFromEnvironment(t *testing.T) {
	old := chosen.Load()
	defer chosen.Store(old)
	for _, c := range []struct{ name, want, failure string }{
		{"", firstAvailable(registered.preferred).Name(), ""},
		{"reference", "reference", ""},
		{"warp", "", `there is no executor "warp" (there is reference`},
	} {
		chosen.Store(nil)
		t.Setenv(ExecutorVariable, c.name)
		got := ""
		err := core.Catch(func() { got = Default().Name() })
		switch {
		case c.failure == "" && (err != nil || got != c.want):
			t.Errorf("%s=%s: got %s, %v, want %s", ExecutorVariable, c.name, got, err, c.want)
		case c.failure != "" && (!errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), c.failure)):
			t.Errorf("%s=%s: got %v, want an error with %q", ExecutorVariable, c.name, err, c.failure)
		}
	}
}

// machine is an executor with a reason why it cannot run.
type machine struct {
	Executor
	name string
	err  error
}

func (m *machine) Name() string     { return m.name }
func (m *machine) Available() error { return m.err }

// The first registered default that can run is the default. An executor that the machine does not
// support is not reported; one that something refuses is.
func TestDefaultExecutor(t *testing.T) {
	wide := &machine{Reference, "wide", fmt.Errorf("no wide registers (%w)", errors.ErrUnsupported)}
	narrow, other := &machine{Reference, "narrow", nil}, &machine{Reference, "other", nil}
	refused := &machine{Reference, "narrow", errors.New("no executable memory")}
	for _, c := range []struct {
		list []Executor
		want Executor
		log  string
	}{
		{nil, Reference, ""},
		{[]Executor{narrow, other}, narrow, ""},
		{[]Executor{wide, narrow}, narrow, ""},
		{[]Executor{wide}, Reference, ""},
		{[]Executor{wide, refused, other}, Reference, "since executor narrow cannot run here: no executable memory"},
	} {
		var log strings.Builder
		old := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		got := firstAvailable(c.list)
		slog.SetDefault(old)
		if got != c.want {
			t.Errorf("got %s, want %s", got.Name(), c.want.Name())
		}
		if (log.Len() > 0) != (c.log != "") || !strings.Contains(log.String(), c.log) {
			t.Errorf("log: got %q, want %q", log.String(), c.log)
		}
	}
}

// Executors that are found later are asked for once, by prefix, and why there are none is in
// the error of Select.
func TestRegisterLater(t *testing.T) {
	calls := 0
	RegisterLater("absent:", func() ([]Executor, error) {
		calls++
		return nil, errors.New("the driver is not installed")
	})
	if _, err := Select("reference"); err != nil || calls != 0 {
		t.Errorf("selecting another executor asked %d times: %v", calls, err)
	}
	for _, name := range []string{"absent:0", "absent:0", "absent"} {
		if _, err := Select(name); err == nil || !strings.Contains(err.Error(), "the driver is not installed") || strings.Contains(err.Error(), "import") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if calls != 1 {
		t.Errorf("asked %d times", calls)
	}
	RegisterLater("numbered:", func() ([]Executor, error) { return []Executor{&machine{Reference, "numbered:0", nil}}, nil })
	for name, want := range map[string]string{"numbered": "; add the device's number", "numbered:1": "; choose one of these"} {
		if _, err := Select(name); err == nil || !strings.Contains(err.Error(), "numbered:0)"+want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// Goroutines that find executors at once receive the same refusal, whichever registers first.
func TestRefusalReachesEveryGoroutine(t *testing.T) {
	RegisterLater("nameless:", func() ([]Executor, error) { return []Executor{&machine{Reference, "", nil}}, nil })
	registered.RLock()
	l := registered.waiting[len(registered.waiting)-1]
	registered.RUnlock()
	found, err := l.find()
	if err != nil {
		t.Fatal(err)
	}
	first, second := l.register(found, nil), l.register(found, nil)
	if first == nil || second == nil || first.Error() != second.Error() {
		t.Errorf("got %v, then %v, want the refusal twice", first, second)
	}
}
