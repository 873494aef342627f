//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	"strings"
	"sync"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// conditionText is the kernel that sets the condition of a node: whether two bytes are 1, and a third is not. The driver has the function
// that it calls.
const conditionText = `.version 6.0
.target sm_60
.address_size 64

.extern .func cudaGraphSetConditional(.param .b64 node, .param .b32 value);

.visible .entry condition(
	.param .u64 condition_0,
	.param .u64 condition_1,
	.param .u64 condition_2,
	.param .u64 condition_3
)
.reqntid 1, 1, 1
{
	.reg .b32 %r<4>;
	.reg .b64 %d<4>;
	.param .b64 node;
	.param .b32 value;
	ld.param.u64 %d0, [condition_0];
	ld.param.u64 %d1, [condition_1];
	ld.param.u64 %d2, [condition_2];
	ld.param.u64 %d3, [condition_3];
	cvta.to.global.u64 %d1, %d1;
	cvta.to.global.u64 %d2, %d2;
	cvta.to.global.u64 %d3, %d3;
	ld.global.u8 %r1, [%d1];
	ld.global.u8 %r2, [%d2];
	ld.global.u8 %r3, [%d3];
	and.b32 %r0, %r1, %r2;
	xor.b32 %r3, %r3, 1;
	and.b32 %r0, %r0, %r3;
	st.param.b64 [node], %d0;
	st.param.b32 [value], %r0;
	call.uni cudaGraphSetConditional, (node, value);
	ret;
}
`

// leastConditional is the version of the first driver whose graphs have loops, and branches in loops.
const leastConditional = 12040

// conditions is what graphs with loops need.
type conditions struct {
	kernel *kernel // of conditionText
	bytes  []byte  // 0 and 1, which the device can read

	mu     sync.Mutex
	asked  bool // the driver was asked for loops, and failed is its answer for good
	failed error
}

// Loops reports whether graphs can contain loops and branches: whether the driver makes one.
func (d *driver) Loops() bool { return d.refusesLoops() == nil }

// refusesLoops returns why graphs cannot contain loops, nil if they can. A driver that lacks memory is asked again.
func (d *driver) refusesLoops() error {
	c := &d.conditions
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked {
		return c.failed
	}
	if c.failed = errors.ErrUnsupported; d.version >= leastConditional && d.l.Conditionals() {
		c.failed = d.within(d.tryConditions)
	}
	var e *cu.Error
	c.asked = !errors.As(c.failed, &e) || !e.OutOfMemory()
	return c.failed
}

func (d *driver) graphsText() string {
	err := d.refusesLoops()
	switch {
	case err == nil:
		return "graphs with loops"
	case errors.Is(err, errors.ErrUnsupported):
		return "graphs"
	}
	return "graphs (without loops: " + strings.ReplaceAll(err.Error(), "\n", " ") + ")"
}

func (d *driver) tryConditions() error {
	c := &d.conditions
	m, err := d.l.LoadModule([]byte(conditionText))
	if err != nil {
		return err
	}
	c.kernel = &kernel{Label: device.Label{Name: "condition"}, threads: 1}
	if c.bytes == nil {
		c.bytes, err = d.l.HostMemory(2)
	}
	if err == nil {
		c.bytes[0], c.bytes[1] = 0, 1
		c.kernel.handle, err = d.l.Function(m, "condition")
	}
	if err == nil {
		byteOf := []device.Place{{}} // the graph does not run
		var g *graph
		if g, err = d.nodes([]device.Launch{{Control: device.Repeat, Buffers: byteOf}, {Control: device.End, Buffers: byteOf}}, 0); err == nil {
			err = d.l.DestroyGraph(g.objects.graph, g.instance)
		}
	}
	if err != nil {
		return errors.Join(err, d.l.Unload(m))
	}
	return nil
}

// newStop returns memory of a byte that ends the loops of a graph while it is 1.
func (d *driver) newStop() (device.Memory, error) {
	m, err := d.Alloc(1)
	if err != nil {
		return 0, err
	}
	if err := d.l.Upload(uintptr(m), d.conditions.bytes[:1], d.stream); err != nil {
		d.Free(m)
		return 0, d.explain(err)
	}
	return m, nil
}

// Stop ends the loops of all runs that are not over. The byte that stops them is set on a stream that does not wait for the graph, and
// cleared on the graph's stream, after the graph.
func (g *graph) Stop() error {
	if g.stop == 0 {
		return nil
	}
	d := g.d
	return d.explain(d.within(func() error {
		if err := d.l.Upload(uintptr(g.stop), d.conditions.bytes[1:], d.down.stream); err != nil {
			return err
		}
		m, err := d.down.marks.add()
		if err == nil {
			err = d.down.marks.hold(d.stream, m)
		}
		if err == nil {
			err = d.l.Upload(uintptr(g.stop), d.conditions.bytes[:1], d.stream)
		}
		return err
	}))
}

// A level is a graph that is being filled: the whole one, or the body of a conditional node.
type level struct {
	graph, behind cu.Handle    // behind is the node that was added last, 0 if there is none
	condition     cu.Condition // of the conditional node whose body it is
	asked         cu.Handle    // the node that sets the condition before the conditional node
	repeats       bool
}

// begin adds a conditional node with the kernel that sets its condition, and returns its body.
func (g *graph) begin(at *level, l *device.Launch) (*level, error) {
	d := g.d
	c, err := d.l.NewCondition(at.graph, d.context)
	if err != nil {
		return nil, err
	}
	if err := g.ask(at, c, l); err != nil {
		return nil, err
	}
	body := &level{condition: c, asked: at.behind, repeats: l.Control == device.Repeat}
	at.behind, body.graph, err = d.l.AddConditional(at.graph, at.behind, c, body.repeats, d.context)
	return body, err
}

// ask adds the kernel that sets a condition to whether the bytes of the buffers are 1 and the graph is not stopped.
func (g *graph) ask(at *level, c cu.Condition, l *device.Launch) error {
	if err := g.condition(c, l.Buffers); err != nil {
		return err
	}
	k := g.d.conditions.kernel
	node, err := g.d.launcher.AddNode(at.graph, at.behind, k.handle, 1, k.threads)
	at.behind = node
	return err
}

// condition writes the parameters of the kernel that sets a condition.
func (g *graph) condition(c cu.Condition, bytes []device.Place) error {
	p, err := g.d.launcher.Params(4)
	if err != nil {
		return err
	}
	g.d.launcher.Shared(0)
	address := func(b device.Place) uint64 { return uint64(b.Memory) + uint64(b.Offset) }
	p[0], p[1], p[2], p[3] = uint64(c), address(bytes[0]), address(bytes[len(bytes)-1]), uint64(g.stop)
	return nil
}
