package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// registered are the executors of the process, the reference first, and those that may be
// the default, in the order of their registration.
var registered = struct {
	sync.RWMutex
	list, preferred []Executor
	waiting         []*pending
}{list: []Executor{Reference}}

// pending finds executors whose names begin with prefix.
type pending struct {
	prefix  string
	find    func() ([]Executor, error)
	refused error // why executors that find returned were not registered
}

// RegisterLater registers executors whose names begin with prefix and which take time to find:
// find is called once, when such a name or all executors are asked for. It may return some executors
// and why others are missing. [Lookup] reports its error, and why executors that it returned cannot be registered.
func RegisterLater(prefix string, find func() ([]Executor, error)) {
	if find == nil {
		err := registration("RegisterLater", "the function that finds executors is nil; pass one")
		find = func() ([]Executor, error) { return nil, err }
	}
	registered.Lock()
	defer registered.Unlock()
	registered.waiting = append(registered.waiting, &pending{prefix: prefix, find: sync.OnceValues(find)})
}

// findLater registers the executors announced by RegisterLater whose prefix name has, or all of
// them. It returns why some could not be found.
func findLater(name string, all bool) error { return errors.Join(missing(name, all)...) }

// missing is findLater, but returns the error of each prefix on its own.
func missing(name string, all bool) (failed []error) {
	registered.RLock()
	waiting := registered.waiting
	registered.RUnlock()
	for _, l := range waiting {
		if !all && !strings.HasPrefix(name+":", l.prefix) {
			continue
		}
		found, err := l.find()
		if err == nil || len(found) > 0 {
			err = l.register(found, err)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s… cannot be had: %w", l.prefix, err))
		}
	}
	return failed
}

// register registers what was found, and drops l. If executors are refused, or err tells why others
// were not found, a pending that returns the reasons takes l's place.
func (l *pending) register(found []Executor, err error) error {
	registered.Lock()
	defer registered.Unlock()
	i := slices.Index(registered.waiting, l)
	if i < 0 {
		return l.refused // another goroutine has done it
	}
	refused := []error{err}
	for _, e := range found {
		if err := registrable(e, registered.list); err != nil {
			refused = append(refused, err)
			continue
		}
		registered.list = append(slices.Clip(registered.list), e)
	}
	l.refused = errors.Join(refused...)
	registered.waiting = slices.Delete(slices.Clone(registered.waiting), i, i+1)
	if l.refused != nil {
		registered.waiting = append(registered.waiting, &pending{prefix: l.prefix, find: func() ([]Executor, error) { return nil, l.refused }})
	}
	return l.refused
}

// Register adds an executor to those that users can select by name. A package with an executor
// calls Register when it is imported. An executor that is nil, is not comparable, or has no name,
// no memory or the name of another one is an error, and is not registered.
func Register(e Executor) error {
	registered.Lock()
	defer registered.Unlock()
	return register(e)
}

// register is Register under the lock.
func register(e Executor) error {
	if err := registrable(e, registered.list); err != nil {
		return err
	}
	registered.list = append(slices.Clip(registered.list), e)
	return nil
}

// RegisterDefault registers an executor that may become the process's default: see [Default]. It
// refuses an [Inexact] executor; its other errors are those of [Register].
func RegisterDefault(e Executor) error {
	if x, own := e.(Inexact); own && usable("RegisterDefault", e) == nil {
		return registration("RegisterDefault", "executor %s has other bits than the reference (%s), so it cannot be a default; use Register, and select it by name", e.Name(), x.Inexact())
	}
	registered.Lock()
	defer registered.Unlock()
	if err := register(e); err != nil {
		return err
	}
	registered.preferred = append(registered.preferred, e)
	return nil
}

// Executors returns the executors of the process, the reference first.
func Executors() []Executor {
	_ = findLater("", true) // Lookup reports what is missing
	return known()
}

// Missing returns why executors announced by [RegisterLater] could not be found, an error for
// each prefix.
func Missing() []error { return missing("", true) }

func known() []Executor {
	registered.RLock()
	defer registered.RUnlock()
	return slices.Clone(registered.list)
}

// Lookup returns the executor of that name. Its error lists the known names and reports why
// executors whose prefix the name has could not be found.
func Lookup(name string) (Executor, error) {
	failed := findLater(name, false)
	for _, e := range known() {
		if e.Name() == name {
			return e, nil
		}
	}
	_ = findLater("", true) // so that the error lists all names
	var names []string
	fix := "; import the package that contains it"
	switch kind, _, _ := strings.Cut(name, ":"); {
	case kind == "cuda" || kind == "opencl":
		fix = "; import _ \"github.com/weft-go/weft/runtime/" + kind + "\""
	case strings.HasPrefix(kind, "pjrt-"):
		fix = "; open its plugin with pjrt.Open, or import github.com/weft-go/weft/runtime/pjrt and set WEFT_PJRT to the plugin's file"
	}
	for _, e := range known() {
		names = append(names, e.Name())
		kind, _, numbered := strings.Cut(e.Name(), ":")
		switch {
		case !numbered:
		case kind == name:
			fix = "; add the device's number"
		case strings.HasPrefix(name, kind+":"):
			fix = "; choose one of these"
		}
	}
	if failed != nil {
		fix = ""
	}
	return nil, &core.Error{Kind: core.ErrDevice, Msg: "there is no executor " + strconv.Quote(name) + " (there is " + strings.Join(names, ", ") + ")" + fix, Err: failed}
}

// Named returns the executor of that name; ok is false if there is none.
func Named(name string) (e Executor, ok bool) {
	e, err := Lookup(name)
	return e, err == nil
}

// ExecutorVariable is the environment variable that selects the process's default
// executor by name.
const ExecutorVariable = "WEFT_EXECUTOR"

// chosen is the default executor, once it was used or set.
var chosen atomic.Pointer[Executor]

// Default returns the executor of goroutines whose settings name none: the one that SetDefault set,
// or else the one that WEFT_EXECUTOR names, or else the first available one of those that
// RegisterDefault registered, or else the reference executor. The reference executor is also the
// default if one of them fails although the machine has what it needs, and none before it is
// available. It is an error if WEFT_EXECUTOR names an executor that does not exist or cannot run
// here.
func Default() Executor {
	if e := chosen.Load(); e != nil {
		return *e
	}
	var e Executor
	if name := os.Getenv(ExecutorVariable); name != "" {
		var err error
		if e, err = Select(name); err != nil {
			fail("", &core.Error{Kind: core.ErrDevice, Pos: core.HerePos(), Msg: "the environment variable " + ExecutorVariable + " selects no executor", Err: err})
		}
	} else {
		registered.RLock()
		list := slices.Clone(registered.preferred)
		registered.RUnlock()
		e = firstAvailable(list)
	}
	if !chosen.CompareAndSwap(nil, &e) {
		return Default() // another goroutine has chosen
	}
	return e
}

// firstAvailable returns the first executor of a list that can run here, else the reference. If the
// machine has what an executor needs and the executor fails for another reason, firstAvailable logs
// the reason and returns the reference.
func firstAvailable(list []Executor) Executor {
	for _, e := range list {
		err := e.Available()
		if err == nil {
			return e
		}
		if !errors.Is(err, errors.ErrUnsupported) {
			slog.Warn(fmt.Sprintf("weft: programs run on the reference executor, which is slower, since executor %s cannot run here: %v", e.Name(), err))
			break // the next ones would most likely fail for the same reason
		}
	}
	return Reference
}

// SetDefault makes e the process's default executor. After nil the next use selects the default
// anew. An executor without a name or memory, or one that is not comparable, is an error.
func SetDefault(e Executor) error {
	if e == nil {
		chosen.Store(nil)
		return nil
	}
	if err := usable("SetDefault", e); err != nil {
		return err
	}
	chosen.Store(&e)
	return nil
}

// Select returns the executor of that name if it can run here, else the error of [Lookup] or
// the executor's own.
func Select(name string) (Executor, error) {
	e, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if err := e.Available(); err != nil {
		return nil, &core.Error{Kind: core.ErrDevice, Msg: "executor " + name + " cannot run here", Err: err}
	}
	return e, nil
}

// mustSelect returns the executor on which a function runs. It panics with the error of Select,
// at the user's line.
func mustSelect(function, name string) Executor {
	e, err := Select(name)
	if err != nil {
		panic(&core.Error{Kind: core.ErrDevice, Op: function, Pos: core.HerePos(), Msg: "it runs on " + name + "; use another device, or mend that one", Err: err})
	}
	return e
}

func currentExecutor(s *Settings) Executor {
	if s.Executor != nil {
		return s.Executor
	}
	return Default()
}
