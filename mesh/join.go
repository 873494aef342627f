package mesh

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// A Transport carries bytes between the processes of a job.
type Transport interface {
	// Rank returns the number of this process, from 0, and how many there are.
	Rank() (rank, size int)
	// Gather sends piece to the processes of the group, ascending ranks with this one among them,
	// and returns the pieces of all, in their order. Every process of the group calls it.
	Gather(group []int, piece []byte) ([][]byte, error)
	// Close ends the process's part in the job.
	Close() error
}

// job is what the process has joined.
var job struct {
	sync.Mutex
	t      Transport
	number uint64 // of exchanges so far
}

// Join makes the process one of a job. Each process of the job runs the same program, and in
// ShardMap the devices that are assigned to it. Arrays outside of ShardMap are whole in every
// process. Join is called once, before the first ShardMap. leave ends the process's part.
func Join(t Transport) (leave func() error) {
	if t == nil {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the transport is nil; pass one that connects the processes")
	}
	rank, size := t.Rank()
	if rank < 0 || rank >= size {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the transport has rank %d of %d; number the processes from 0", rank, size)
	}
	job.Lock()
	defer job.Unlock()
	if job.t != nil {
		core.FailOp(core.ErrStatic, "mesh.Join", nil, "the process has joined a job already; leave that first")
	}
	job.t, job.number = t, 0
	transforms.PartsOf = func(axes []jaxpr.MeshAxis) []*transforms.Part { return partsOf(t, axes) }
	return func() error {
		job.Lock()
		defer job.Unlock()
		job.t, transforms.PartsOf = nil, nil
		return t.Close()
	}
}

// partsOf divides the devices among the processes: the first axis of the mesh first.
func partsOf(t Transport, axes []jaxpr.MeshAxis) []*transforms.Part {
	rank, size := t.Rank()
	if size == 1 {
		return nil
	}
	ways := make([]int, len(axes)) // along each axis
	left := size
	for i, a := range axes {
		ways[i] = gcd(a.Size, left)
		left /= ways[i]
	}
	if left > 1 {
		var sizes []string
		for _, a := range axes {
			sizes = append(sizes, fmt.Sprintf("%s=%d", a.Name, a.Size))
		}
		core.FailOp(core.ErrAxis, "mesh", nil, "a mesh of %s cannot be divided evenly among %d processes; start a number of processes that divides its axes", strings.Join(sizes, ", "), size)
	}
	parts := make([]*transforms.Part, len(axes))
	stride := size
	for i, a := range axes {
		stride /= ways[i]
		if ways[i] == 1 {
			continue
		}
		at := rank / stride % ways[i]
		group := make([]int, ways[i])
		for k := range group {
			group[k] = rank + (k-at)*stride
		}
		each := a.Size / ways[i]
		parts[i] = &transforms.Part{N: a.Size, Lo: at * each, Hi: (at + 1) * each, Gather: func(x core.Value) core.Value { return gather(t, group, a.Name, x) }}
	}
	return parts
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// gather returns the rows of the processes of a group: a step of the program that runs on the
// host, in the order of the program.
func gather(t Transport, group []int, axis string, x core.Value) core.Value {
	a := x.Aval()
	result := a.WithShape(a.Shape.Slice(1, a.Rank()).Prepend(a.Shape.At(0) * len(group)))
	f := &prim.HostFunc{Name: "gather_" + axis, Op: "ShardMap", Call: func(in []core.Value) []core.Value {
		return []core.Value{exchange(t, group, axis, in[0].(*runtime.Array), result)}
	}}
	return prim.IOCallback(f, []core.ShapedArray{result}, true, x)[0]
}

// headerBytes is the size of the header of an exchange: its number, the digest of its
// description, and the beginning of the description.
const headerBytes = 32

// header describes an exchange, so that processes that run different programs notice.
func header(number uint64, what string) []byte {
	h := make([]byte, headerBytes)
	binary.LittleEndian.PutUint64(h, number)
	d := fnv.New64a()
	d.Write([]byte(what))
	binary.LittleEndian.PutUint64(h[8:], d.Sum64())
	copy(h[16:], what)
	return h
}

func exchange(t Transport, group []int, axis string, x *runtime.Array, result core.ShapedArray) core.Value {
	job.Lock()
	defer job.Unlock()
	job.number++
	what := x.Aval().String() + " " + axis
	own := header(job.number, what)
	got, err := t.Gather(group, append(own, x.Tensor().Data...))
	if err != nil {
		core.FailOp(core.ErrDevice, "ShardMap", nil, "exchange %d, of %s along %q: %v", job.number, x.Aval(), axis, err)
	}
	out := runtime.New(result)
	data := out.Tensor().Data
	for i, b := range got {
		if len(b) < headerBytes || string(b[:headerBytes]) != string(own) || len(b) != headerBytes+len(x.Tensor().Data) {
			other := "something else"
			if len(b) >= headerBytes {
				other = fmt.Sprintf("its exchange %d, of %s", binary.LittleEndian.Uint64(b), strings.TrimRight(string(b[16:headerBytes]), "\x00"))
			}
			core.FailOp(core.ErrDevice, "ShardMap", nil, "processes run different programs: process %d is at %s, this one at its exchange %d, of %s; run the same program in each", group[i], other, job.number, what)
		}
		copy(data[i*len(x.Tensor().Data):], b[headerBytes:])
	}
	return out
}
