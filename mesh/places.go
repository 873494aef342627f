package mesh

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
	"github.com/weft-go/weft/transforms/exchange"
)

// RunOn calls f. While f runs, meshes have places: each device of the list, such as the GPUs of
// a machine, runs an equal part of a mesh, all at once. The axes of the mesh are divided among the
// places, the first axis first, as among processes. Operands are copied to the places and results
// back; collectives go through the host's memory. The mesh decides the bits: they are those of one
// place.
//
// Functions that [weft.Jit] has compiled before RunOn, or within it, stay where they are. A process
// of a job has one place: start a process for each device there.
func RunOn(on []weft.Device, f func() error) error {
	if len(on) == 0 {
		core.FailOp(core.ErrStatic, "mesh.RunOn", nil, "there is no device; pass those that run meshes")
	}
	requireFunction("mesh.RunOn", f)
	p := &places{}
	for _, d := range on {
		e, err := runtime.Select(d.String())
		if err != nil {
			return err
		}
		p.executors = append(p.executors, e)
	}
	defer p.set()()
	return f()
}

type places struct{ executors []runtime.Executor }

// set makes the executors the places of the process until end is called.
func (p *places) set() (end func()) {
	job.Lock()
	defer job.Unlock()
	if job.t != nil || job.places {
		core.FailOp(core.ErrStatic, "mesh.RunOn", nil, "the process is one of a job, or has places already; leave that first, or start a process for each device")
	}
	job.places = true
	n := len(p.executors)
	transforms.SetPlaces(&transforms.Places{N: n, Run: p.run, Parts: func(place int, axes []jaxpr.MeshAxis) []*transforms.Part {
		parts := partsOf(place, n, axes)
		for _, part := range parts {
			if part != nil {
				part.Start = startAt(place)
			}
		}
		return parts
	}})
	return func() {
		job.Lock()
		defer job.Unlock()
		job.places = false
		transforms.SetPlaces(nil)
	}
}

// placeKey is the key under which a program keeps what it was compiled to.
type placeKey struct {
	executor runtime.Executor
	options  runtime.Options
}

// run runs the program of each place. When one fails the others end, and run panics with its reason.
func (p *places) run(ctx context.Context, programs []*jaxpr.Jaxpr, in [][]core.Value) [][]core.Value {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	met := &meeting{letters: map[letter]chan []byte{}, sent: map[[2]int]int{}, expected: map[[2]int]int{}}
	for range programs {
		met.ended = append(met.ended, make(chan struct{}))
	}
	ctx = context.WithValue(ctx, meetingKey{}, met)
	options := runtime.Current().Options
	outs := make([][]core.Value, len(programs))
	var failed struct {
		sync.Once
		reason any
	}
	var all sync.WaitGroup
	for i, j := range programs {
		all.Go(func() {
			done := false
			defer func() {
				if done {
					close(met.ended[i])
					return
				}
				r := recover()
				if r == nil { // the goroutine ends
					r = &core.Error{Kind: core.ErrDevice, Op: "ShardMap", Msg: fmt.Sprintf("a function that place %d called has ended its goroutine; return from it instead", i)}
				}
				failed.Do(func() { failed.reason = r })
				end(fmt.Errorf("place %d has failed; its error names the fix", i))
			}()
			e := p.executors[i]
			c := j.Memo(placeKey{e, options}, func() any {
				c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Options: options, Label: "ShardMap"})
				if err != nil {
					panic(err)
				}
				return c
			}).(*runtime.Compiled)
			args := make([]*runtime.Array, len(in[i]))
			for k, v := range in[i] {
				args[k] = v.(*runtime.Array)
			}
			got, err := c.Run(ctx, args)
			for _, a := range got {
				if err == nil {
					a, err = runtime.Reference.Place(ctx, a)
				}
				outs[i] = append(outs[i], a)
			}
			if err != nil {
				panic(err)
			}
			done = true
		})
	}
	all.Wait()
	if failed.reason != nil {
		panic(failed.reason)
	}
	return outs
}

// A meeting carries bytes between the places of a run.
type meeting struct {
	sync.Mutex
	letters        map[letter]chan []byte
	sent, expected map[[2]int]int  // how many letters so far, by sender and receiver
	ended          []chan struct{} // closed when a place has sent all that it sends
}

type meetingKey struct{}

// A letter is number n of what one place sends another.
type letter struct{ from, to, n int }

func (m *meeting) box(l letter) chan []byte {
	c := m.letters[l]
	if c == nil {
		c = make(chan []byte, 1)
		m.letters[l] = c
	}
	return c
}

func (m *meeting) send(from, to int, b []byte) {
	m.Lock()
	defer m.Unlock()
	pair := [2]int{from, to}
	m.box(letter{from, to, m.sent[pair]}) <- slices.Clone(b)
	m.sent[pair]++
}

// expect returns a function that waits for the next letter from one place to another and returns it. It fails when ctx ends.
func (m *meeting) expect(ctx context.Context, from, to int) func() []byte {
	m.Lock()
	defer m.Unlock()
	pair := [2]int{from, to}
	l := letter{from, to, m.expected[pair]}
	m.expected[pair]++
	c := m.box(l)
	return func() []byte {
		var b []byte
		select {
		case b = <-c:
		case <-m.ended[from]:
			select {
			case b = <-c:
			default:
				core.FailOp(core.ErrDevice, "ShardMap", nil, "place %d waits for place %d, which has ended; exchange as often in each", to, from)
			}
		case <-ctx.Done():
			core.FailOp(core.ErrDevice, "ShardMap", nil, "place %d waits for place %d: %v; look at the error of the other place", to, from, context.Cause(ctx))
		}
		m.Lock()
		defer m.Unlock()
		delete(m.letters, l)
		return b
	}
}

func startAt(place int) exchange.Start {
	var start exchange.Start
	start = func(ctx context.Context, e exchange.Exchange, x core.Value, result core.ShapedArray) func() core.Value {
		if e.Kind == exchange.Summing {
			first, second := e, e
			first.Kind, second.Kind = exchange.Exchanging, exchange.Gathering
			rows := start(ctx, first, x, x.Aval())
			return func() core.Value {
				sum, err := sumOfRows(ctx, rows().(*runtime.Array))
				if err != nil {
					panic(err)
				}
				return start(ctx, second, sum, result)()
			}
		}
		m := ctx.Value(meetingKey{}).(*meeting)
		in := x.(*runtime.Array).Tensor().Data
		y := runtime.New(result)
		out := y.Tensor().Data
		type piece struct {
			get func() []byte
			to  []byte
		}
		var coming []piece
		expect := func(from int, to []byte) { coming = append(coming, piece{m.expect(ctx, from, place), to}) }
		if e.Kind == exchange.Permuting {
			if e.To >= 0 {
				m.send(place, e.To, in)
			}
			if e.From >= 0 {
				expect(e.From, out)
			}
		} else {
			size := len(out) / len(e.Group)
			for i, other := range e.Group {
				b := in
				if e.Kind == exchange.Exchanging {
					b = in[i*size : (i+1)*size]
				}
				if other == place {
					copy(out[i*size:], b)
					continue
				}
				m.send(place, other, b)
				expect(other, out[i*size:(i+1)*size])
			}
		}
		return func() core.Value {
			for _, p := range coming {
				copy(p.to, p.get())
			}
			return y
		}
	}
	return start
}
