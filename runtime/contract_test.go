package runtime

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// outsider is an executor whose methods return what a test sets.
type outsider struct {
	name    string
	memory  Memory
	exe     Executable
	place   func(a *Array) *Array
	leaf    Leaf
	compile error
}

func (o *outsider) Name() string                                      { return o.name }
func (o *outsider) Available() error                                  { return nil }
func (o *outsider) Memory() Memory                                    { return o.memory }
func (o *outsider) Compile(*Request) (Executable, error)              { return o.exe, o.compile }
func (o *outsider) Place(_ context.Context, a *Array) (*Array, error) { return o.place(a), nil }
func (o *outsider) Leaf(core.Primitive, []core.ShapedArray, []core.ShapedArray) Leaf {
	return o.leaf
}

// listed is an executor that cannot be compared.
type listed struct {
	*outsider
	_ []int
}

// results is an executable that returns these arrays.
type results struct{ outs []*Array }

func (r *results) Run(_ context.Context, _, outs []*Array) error { copy(outs, r.outs); return nil }
func (r *results) Account() Account                              { return Account{} }

// loose is a buffer whose methods return its fields.
type loose struct {
	e    Executor
	data []byte
}

func (l loose) Executor() Executor                    { return l.e }
func (l loose) Wait(context.Context) error            { return nil }
func (l loose) Bytes(context.Context) ([]byte, error) { return l.data, nil }

// unregistered restores the registry after a test.
func unregistered(t *testing.T) {
	registered.Lock()
	defer registered.Unlock()
	list, preferred, waiting := slices.Clone(registered.list), slices.Clone(registered.preferred), slices.Clone(registered.waiting)
	t.Cleanup(func() { registered.list, registered.preferred, registered.waiting = list, preferred, waiting })
}

// unusable are executors that no function accepts, with what the error states.
func unusable() map[string]Executor {
	return map[string]Executor{
		"is nil":                                nil,
		"the executor is nil; pass an executor": (*outsider)(nil),
		"not comparable":                        listed{outsider: &outsider{name: "listed", memory: Host}},
		"has no name; return one from Name":     &outsider{memory: Host},
		"return one from Memory":                &outsider{name: "placeless"},
	}
}

func TestRefusedRegistrations(t *testing.T) {
	unregistered(t)
	bad := unusable()
	bad[`two executors have the same name (got "reference" twice)`] = &outsider{name: "reference", memory: Host}
	before := len(Executors())
	for want, e := range bad {
		for op, err := range map[string]error{"Register": Register(e), "RegisterDefault": RegisterDefault(e)} {
			if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want an error with %q", op, err, want)
			}
		}
	}
	if n := len(Executors()); n != before {
		t.Errorf("got %d executors after refused registrations, want %d", n, before)
	}
	if err := Register(&outsider{name: "welcome", memory: Host}); err != nil {
		t.Error(err)
	}
	if _, err := Lookup("welcome"); err != nil {
		t.Error(err)
	}
}

// Executors that are found later and cannot be registered, and why others were not found, are in the
// errors of Lookup and Missing, at every call; those beside them are registered.
func TestRefusedLaterRegistrations(t *testing.T) {
	unregistered(t)
	RegisterLater("nothing:", nil)
	if _, err := Lookup("nothing:0"); err == nil || !strings.Contains(err.Error(), "the function that finds executors is nil") {
		t.Errorf("a nil function: got %v", err)
	}
	good := &outsider{name: "late:0", memory: Host}
	RegisterLater("late:", func() ([]Executor, error) {
		return []Executor{nil, good, &outsider{name: "late:0", memory: Host}, &outsider{memory: Host}}, errors.New("another file is damaged")
	})
	for range 2 {
		if e, err := Lookup("late:0"); e != good || err != nil {
			t.Errorf("got %v, %v, want the executor", e, err)
		}
		_, err := Lookup("late:1")
		for _, want := range []string{"late:… cannot be had", "the executor is nil", `got "late:0" twice`, "has no name", "another file is damaged"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error with %q", err, want)
			}
		}
		if err := errors.Join(Missing()...); err == nil || !strings.Contains(err.Error(), "late:… cannot be had") {
			t.Errorf("Missing: got %v", err)
		}
	}
}

// Two packages may promise the same prefix, and one of them may find nothing.
func TestLaterRegistrationsOfOnePrefix(t *testing.T) {
	unregistered(t)
	for _, find := range []func() ([]Executor, error){
		func() ([]Executor, error) { return nil, errors.New("no driver") },
		func() ([]Executor, error) { return []Executor{&outsider{name: "shared:0", memory: Host}}, nil },
	} {
		RegisterLater("shared:", find)
	}
	for range 2 {
		if _, err := Lookup("shared:0"); err != nil {
			t.Error(err)
		}
		if _, err := Lookup("shared:1"); err == nil || !strings.Contains(err.Error(), "no driver") || strings.Contains(err.Error(), "twice") {
			t.Errorf("got %v, want the reason of the one that found none", err)
		}
	}
}

func TestUnusableExecutors(t *testing.T) {
	old := chosen.Load()
	defer chosen.Store(old)
	j := newSingle(prim.SinP{}, []core.ShapedArray{core.Aval(core.Float32, 20)})
	for want, e := range unusable() {
		uses := map[string]func() error{"Compile": func() error { _, err := Compile(e, &Request{Jaxpr: j}); return err }}
		if e != nil {
			uses["SetDefault"] = func() error { return SetDefault(e) }
			uses["WithSettings"] = func() error {
				return core.Catch(func() { WithSettings(func(s *Settings) { s.Executor = e }, func() {}) })
			}
			uses["SetProcess"] = func() error { return core.Catch(func() { SetProcess(func(s *Settings) { s.Executor = e }) }) }
		} else {
			uses["Place"] = func() error { _, err := Place(t.Context(), nil, New(core.Aval(core.Int8))); return err }
			uses["To"] = func() error { _, err := To(t.Context(), nil, New(core.Aval(core.Int8))); return err }
		}
		for op, use := range uses {
			if err := use(); !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want an error with %q", op, err, want)
			}
		}
	}
	if err := SetDefault(Reference); err != nil || Default() != Reference {
		t.Errorf("got %v, %v", Default().Name(), err)
	}
	if err := SetDefault(nil); err != nil || Default() == nil {
		t.Errorf("after nil: got %v, %v", Default(), err)
	}
}

// ofBytes returns an array in the memory, as an executor makes it.
func ofBytes(t core.ShapedArray, data []byte) *Array { return Made(t, data, nil) }

// illArrays are arrays that cannot stand for one of type t, with what the error states.
func illArrays(t core.ShapedArray) map[string]*Array {
	n := t.Size() * t.DType.Size()
	odd := New(core.Aval(core.Uint8, n+16)).t.Data
	view := NewView(t)
	return map[string]*Array{
		"is missing":               nil,
		"has the wrong type":       New(core.Aval(core.Int8, n)),
		"got 4 bytes":              ofBytes(t, odd[:4]),
		"got 0 bytes":              MadeIn(t, nil),
		"aligned":                  ofBytes(t, odd[1:n+1]),
		"without an executor":      MadeIn(t, loose{data: odd[:n]}),
		"memory of the wrong size": view,
	}
}

// What the methods of an executor return is checked before anything reads it.
func TestWrongAnswersOfExecutors(t *testing.T) {
	typ := core.Aval(core.Float32, 20)
	x := New(typ)
	p := prim.SinP{}
	j := newSingle(p, []core.ShapedArray{typ})
	fails := func(what, want string, err error) {
		t.Helper()
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "outsider") {
			t.Errorf("%s: got %v, want an error of the executor with %q", what, err, want)
		}
	}
	with := func(o *outsider, f func()) error {
		return core.Catch(func() { WithSettings(func(s *Settings) { s.Executor = o }, f) })
	}
	for _, exe := range []Executable{nil, (*results)(nil)} {
		_, err := Compile(&outsider{name: "outsider", memory: Host, exe: exe}, &Request{Jaxpr: j})
		fails("Compile", "neither an executable nor an error", err)
	}
	ill := illArrays(typ)
	shown := NewView(typ)
	shown.Show(New(typ).t.Data)
	ill["is a view"] = shown
	for want, a := range ill {
		exe := &results{[]*Array{a}}
		o := &outsider{name: "outsider", memory: Host, exe: exe, leaf: func(_ context.Context, _ core.Primitive, _ []*Array, _ []core.ShapedArray, outs []*Array) error {
			outs[0] = a
			return nil
		}}
		c, err := Compile(o, &Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Run(t.Context(), []*Array{x})
		fails("Run: "+want, want, err)
		fails("RunInto: "+want, want, core.Catch(func() { c.RunInto([]*Array{x}, make([]*Array, 1)) }))
		fails("jit: "+want, want, with(o, func() { Call(t.Context(), &jaxpr.Jit{Fn: "f", Jaxpr: j}, []core.Value{x}) }))
		fails("donated: "+want, want, with(o, func() {
			Call(t.Context(), &jaxpr.Jit{Fn: "f", Jaxpr: j, Donated: []bool{true}}, []core.Value{New(typ)})
		}))
		fails("Leaf: "+want, want, with(o, func() { core.Bind(p, x) }))
	}
	for want, place := range map[string]func(a *Array) *Array{
		"neither an array nor an error":  func(*Array) *Array { return nil },
		"changed the type of an array":   func(*Array) *Array { return New(core.Aval(core.Int8)) },
		"got 4 bytes, want 80":           func(a *Array) *Array { return ofBytes(a.Aval(), New(core.Aval(core.Uint8, 4)).t.Data) },
		"in a buffer without":            func(a *Array) *Array { return MadeIn(a.Aval(), loose{}) },
		"another memory (got host, want": func(a *Array) *Array { return a },
	} {
		o := &outsider{name: "outsider", memory: "outside:0", exe: &results{[]*Array{x}}, place: place}
		_, err := Place(t.Context(), o, x)
		fails("Place: "+want, want, err)
		_, err = To(t.Context(), o, x)
		fails("To: "+want, want, err)
		fails("jit, Place: "+want, want, with(o, func() { Call(t.Context(), &jaxpr.Jit{Fn: "f", Jaxpr: j}, []core.Value{x}) }))
	}
}

// Results of an executor get the weak marks of the program.
func TestWeakMarksOfExecutors(t *testing.T) {
	typ := core.Aval(core.Float32, 20)
	weak := typ
	weak.Weak = true
	for _, c := range [][2]core.ShapedArray{{typ, weak}, {weak, typ}} {
		o := &outsider{name: "outsider", memory: Host, exe: &results{[]*Array{New(c[0])}}}
		b := jaxpr.NewBuilder()
		j := b.Build(b.Input(c[1]))
		e, err := Compile(o, &Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		outs, err := e.Run(t.Context(), []*Array{New(c[1])})
		if err != nil || outs[0].Aval() != c[1] {
			t.Errorf("the executor's result has type %v: got %v, %v, want %v", c[0].Full(), outs[0].Aval().Full(), err, c[1].Full())
		}
	}
}

// What a buffer returns is checked, also where its executor is missing.
func TestWrongBuffers(t *testing.T) {
	typ := core.Aval(core.Float32, 20)
	o := &outsider{name: "outsider", memory: "outside:0"}
	odd := New(core.Aval(core.Uint8, 96)).t.Data
	for want, data := range map[string][]byte{"got 0 bytes": nil, "got 8 bytes": odd[:8], "aligned": odd[1:81]} {
		for _, e := range []Executor{o, nil} {
			a := MadeIn(typ, loose{e, data})
			if _, err := Reference.Place(t.Context(), a); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error with %q", err, want)
			}
		}
	}
	a := MadeIn(typ, loose{nil, odd[:80]})
	if m := a.Memory(); m != "" {
		t.Errorf("got memory %q", m)
	}
	if err := core.Catch(func() { core.Bind(prim.SinP{}, a) }); !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "without an executor") {
		t.Errorf("got %v", err)
	}
}

// Arrays that an executor passes to the reference's programs and steps are checked.
func TestWrongArraysForTheReference(t *testing.T) {
	typ := core.Aval(core.Float32, 20)
	j := newSingle(prim.SinP{}, []core.ShapedArray{typ})
	r := &Request{Jaxpr: j}
	exe, err := Reference.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Step(j.Eqns[0])
	if err != nil {
		t.Fatal(err)
	}
	ctx, x := t.Context(), New(typ)
	for want, a := range illArrays(typ) {
		for what, run := range map[string]func(in, outs []*Array) error{
			"program": func(in, outs []*Array) error { return exe.Run(ctx, in, outs) },
			"step":    func(in, outs []*Array) error { return s.Run(ctx, in, outs) },
		} {
			if err := run([]*Array{a}, make([]*Array, 1)); !errors.Is(err, core.ErrCheck) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, operand: got %v, want an error with %q", what, err, want)
			}
			if a == nil {
				continue
			}
			if err := run([]*Array{x}, []*Array{a}); !errors.Is(err, core.ErrCheck) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, result: got %v, want an error with %q", what, err, want)
			}
		}
	}
	remote := MadeIn(typ, loose{&outsider{name: "outsider", memory: "outside:0"}, x.t.Data})
	for what, err := range map[string]error{
		"memory elsewhere, program": exe.Run(ctx, []*Array{x}, []*Array{remote}),
		"memory elsewhere, step":    s.Run(ctx, []*Array{x}, []*Array{remote}),
		"no arguments":              exe.Run(ctx, nil, make([]*Array, 1)),
		"no results":                s.Run(ctx, []*Array{x}, nil),
		"no equation":               errorOf(r.Step(nil)),
		"no operation":              errorOf(r.Step(&jaxpr.Eqn{})),
		"no request":                errorOf(Compile(Reference, nil)),
		"no program":                errorOf(Compile(Reference, &Request{})),
		"donated":                   errorOf(Compile(Reference, &Request{Jaxpr: j, Donated: []bool{true, false}})),
		"another size":              core.Catch(func() { x.WithType(core.Aval(core.Int8)) }),
	} {
		if err == nil || !reflect.TypeOf(err).Comparable() {
			t.Errorf("%s: got %v, want an error", what, err)
		}
	}
	c, err := Compile(Reference, r)
	if err != nil {
		t.Fatal(err)
	}
	for want, a := range illArrays(typ) {
		if _, err := c.Run(ctx, []*Array{a}); !errors.Is(err, core.ErrCheck) || !strings.Contains(err.Error(), want) {
			t.Errorf("Compiled.Run: got %v, want an error with %q", err, want)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }

// guessing is a gradual executor with any estimates.
type guessing struct {
	*outsider
	run, compile float64
}

func (g *guessing) Costs(*jaxpr.Jaxpr) (run, compile float64) { return g.run, g.compile }

// An executor whose estimates are not numbers still gets its program at last.
func TestWrongCosts(t *testing.T) {
	typ := core.Aval(core.Float32, 20)
	j := newSingle(prim.SinP{}, []core.ShapedArray{typ})
	for _, c := range [][2]float64{{math.NaN(), 1}, {1, math.NaN()}, {-5, 10}, {0, 10}, {math.Inf(-1), 10}} {
		g := &guessing{&outsider{name: "outsider", memory: Host, exe: &results{[]*Array{New(typ)}}}, c[0], c[1]}
		k, err := compileLater(g, &Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if k == nil || k.now() != k {
				k = nil
				break
			}
		}
		if k != nil {
			t.Errorf("costs %v: the program is not compiled after 20 runs", c)
		}
	}
}
