package device

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// A Tensorer is a driver whose device may have tensor cores.
type Tensorer interface {
	Driver
	TensorCores() simt.TensorCores
}

// tensorCores returns the tensor cores that a program may use, none if its results must have
// the reference's bits.
func (e *executor) tensorCores(o runtime.Options) simt.TensorCores {
	if t, ok := e.driver.(Tensorer); ok && o.Precision == runtime.Fast {
		return t.TensorCores()
	}
	return simt.TensorCores{}
}

// translate returns the plan of a program for the device. Unless tensor cores are used, no kernel has
// more buffers than the device supports.
func (e *executor) translate(r *runtime.Request) *fuse.Plan {
	machine := e.machine()
	t := fuse.Device(divider(machine))
	if c := e.tensorCores(r.Options); c.MMA {
		t.Tensor = TensorOptions(c)
		return fuse.Translate(r.Jaxpr, t)
	}
	plan := fuse.Translate(r.Jaxpr, t)
	if most := machine.Buffers; most > 0 && buffersOf(plan) > most {
		t.Buffers = most
		return fuse.Translate(r.Jaxpr, t)
	}
	return plan
}

// buffersOf returns the greatest number of buffers of a kernel of a plan, a guard included.
func buffersOf(plan *fuse.Plan) int {
	n := 0
	for _, k := range plan.Kernels() {
		n = max(n, len(k.Buffers)+1)
	}
	return n
}

// TensorOptions returns what products and attentions may do on tensor cores.
func TensorOptions(c simt.TensorCores) fuse.TensorOptions {
	return fuse.TensorOptions{Cores: true, AlongK: c.Copies(), Parts: parts{cores: c}}
}

// parts plans for the tensor cores of a device. Among other things it chooses the number of parts of sums by cost.
type parts struct {
	fuse.TensorPlans
	cores simt.TensorCores
}

// Of returns the number of parts in which the sums of a product are computed.
func (c parts) Of(s *fuse.Product) int {
	return simt.TensorParts(tensorProduct(s), tensorKinds[s.Tensor], c.cores)
}

// tensorKinds are the formats in which tensor cores read operands of each type.
var tensorKinds = map[core.DType]simt.TensorKind{core.Float32: simt.TF32, core.BFloat16: simt.BF16, core.Float16: simt.F16}

// tensorProduct describes a product of a plan whose operands may be rounded.
func tensorProduct(s *fuse.Product) *simt.Product {
	p := &simt.Product{Name: "tensor_product", M: s.M, N: s.N, K: s.K, A: simt.Operand(s.A), B: simt.Operand(s.B)}
	for _, a := range s.Batch {
		p.Batch = append(p.Batch, simt.BatchAxis(a))
	}
	return p
}

func (b *builder) tensorFunc(plan *fuse.Plan, s *fuse.Product) *simt.Func {
	p := tensorProduct(s)
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		p.Lens[i] = int64(plan.Values[id].Type.Size())
	}
	return simt.LowerTensor(p, tensorKinds[s.Tensor], s.Type != core.Float32, b.e.tensorCores(b.request.Options))
}

// OfConv returns the number of parts in which the sums of a convolution are computed, and the terms of a part.
func (c parts) OfConv(s fuse.Step) (parts, terms int) {
	return simt.WindowParts(tensorConv(s.(*fuse.TensorConv)), c.cores)
}

// tensorConv describes a convolution of a plan whose operands may be rounded.
func tensorConv(s *fuse.TensorConv) simt.Tensor {
	w := &simt.Windows{Col: simt.Digit(s.Col), Group: simt.Digit(s.Group), Parts: s.Parts, PartK: s.PartK}
	for _, d := range s.Rows {
		w.Rows = append(w.Rows, simt.Digit(d))
	}
	for _, d := range s.Deep {
		w.Deep = append(w.Deep, simt.Digit(d))
	}
	for _, a := range s.Axes {
		w.Axes = append(w.Axes, simt.WindowAxis(a))
	}
	return w.TensorOf(tensorKinds[s.Tensor], s.Type != core.Float32, s.Offset)
}

// tensorConvTask returns the task of a convolution whose operands may be rounded: one kernel, or several that write parts of its result.
func (b *builder) tensorConvTask(plan *fuse.Plan, s *fuse.TensorConv) task {
	var lens [3]int64
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		lens[i] = int64(plan.Values[id].Type.Size())
	}
	fs := simt.LowerWindows("tensor_convolution", tensorConv(s), lens, b.e.tensorCores(b.request.Options))
	if len(fs) == 0 {
		panic("BUG: device: no kernel for " + s.String())
	}
	if len(fs) == 1 {
		return kernelTask{s, s.Eqn, []int{s.In[0], s.In[1], s.Out}, func() *simt.Func { return fs[0] }}
	}
	n := &schedule.Sequence{}
	for _, f := range fs {
		n.Run(f, append(schedule.Operands(2), schedule.Slot{Of: schedule.ResultSlot})...)
	}
	return sequenceTask{n, &fuse.Call{Eqn: s.Eqn, In: s.In[:], Out: []int{s.Out}}}
}
