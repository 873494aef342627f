//go:build linux && (amd64 || arm64)

package fakecuda

import (
	"errors"
	"slices"
)

// graphOf returns a graph, or the body of a node.
func (d *Driver) graphOf(g uintptr) *graph {
	if x := d.graphs[g]; x != nil {
		return x
	}
	return d.bodies[g]
}

// any reports whether f holds for a node of a graph or of a body in it.
func (g *graph) any(f func(n *node) bool) bool {
	return slices.ContainsFunc(g.nodes, func(n *node) bool { return f(n) || n.body != nil && n.body.any(f) })
}

// follows reports whether a new node with these nodes behind it is the next one of a chain.
func (g *graph) follows(behind *uintptr, n uintptr) bool {
	if len(g.nodes) == 0 {
		return n == 0
	}
	return n == 1 && *behind == g.nodes[len(g.nodes)-1].handle
}

// instance returns a copy of a graph, nil if a body in it is empty.
func (g *graph) instance() *graph {
	x := &graph{}
	for _, n := range g.nodes {
		c := *n
		if n.body != nil {
			if c.body = n.body.instance(); c.body == nil || len(c.body.nodes) == 0 {
				return nil
			}
		}
		x.nodes = append(x.nodes, &c)
	}
	return x
}

// replace replaces a node of a graph or of a body in it.
func (g *graph) replace(y *node) bool {
	for i, n := range g.nodes {
		if n.handle == y.handle && n.body == nil {
			g.nodes[i] = y
			return true
		}
		if n.body != nil && n.body.replace(y) {
			return true
		}
	}
	return false
}

// unset is the value of a condition that no kernel has set.
const unset = 0xa5a5a5a5

// mostRepeats bounds the iterations of a loop.
const mostRepeats = 1 << 16

// runGraph runs the nodes of an instance. While it repeats some, the commands of other streams run that wait for nothing.
func (d *Driver) runGraph(context uintptr, g *graph) int32 {
	for _, n := range g.nodes {
		if n.body == nil {
			if code := d.execute(context, n); code != 0 {
				return code
			}
			continue
		}
		for i := 0; ; i++ {
			switch value := d.values[n.condition]; {
			case value == unset || i == mostRepeats:
				lastFault = errors.New("a condition that no kernel has set, or a loop without end; set it in each iteration")
				return illegalAddress
			case value == 0:
			default:
				if code := d.runGraph(context, n.body); code != 0 {
					return code
				}
				for _, s := range d.streams {
					d.run(s, s.done+len(s.queue))
				}
				if n.repeats {
					continue
				}
			}
			break
		}
	}
	return 0
}

// setCondition is the function that kernels call.
func (d *Driver) setCondition(handle uint64, value uint32) error {
	if _, known := d.values[handle]; !known {
		return errors.New("cudaGraphSetConditional: there is no such handle; create it")
	}
	d.values[handle] = value
	return nil
}

// conditionalParams is CUgraphNodeParams of a conditional node.
type conditionalParams struct {
	kind     int32
	_        [3]int32
	handle   uint64
	how      int32
	size     uint32
	bodies   *uintptr
	context  uintptr
	reserved [26]uint64
}

// lastBody is where the driver writes the body of a new node.
var lastBody uintptr

// graphFunctions are those of graphs.
var graphFunctions = map[string]any{
	"cuGraphCreate": func(g *uintptr, flags uintptr) uintptr {
		return do("cuGraphCreate", func(d *Driver) int32 {
			*g = d.handle()
			d.graphs[*g] = &graph{}
			return 0
		})
	},
	"cuGraphAddKernelNode_v2": func(h *uintptr, g uintptr, behind *uintptr, n uintptr, p *nodeParams) uintptr {
		return do("cuGraphAddKernelNode_v2", func(d *Driver) int32 {
			x, y := d.graphOf(g), d.node(p)
			if x == nil || y == nil || !x.follows(behind, n) {
				return invalidValue
			}
			x.nodes = append(x.nodes, y)
			*h = y.handle
			return 0
		})
	},
	"cuGraphInstantiateWithFlags": func(e *uintptr, g uintptr, flags uint64) uintptr {
		return do("cuGraphInstantiateWithFlags", func(d *Driver) int32 {
			x := d.graphs[g]
			if x == nil || d.context() == 0 {
				return invalidHandle
			}
			run := x.instance()
			if run == nil {
				return invalidValue
			}
			*e = d.handle()
			d.runs[*e] = run
			return 0
		})
	},
	"cuGraphExecKernelNodeSetParams_v2": func(e, h uintptr, p *nodeParams) uintptr {
		return do("cuGraphExecKernelNodeSetParams_v2", func(d *Driver) int32 {
			x, y := d.runs[e], d.node(p)
			if x == nil || y == nil {
				return invalidHandle
			}
			if y.handle = h; !x.replace(y) {
				return invalidValue
			}
			return 0
		})
	},
	"cuGraphLaunch": func(e, h uintptr) uintptr {
		return do("cuGraphLaunch", func(d *Driver) int32 {
			x := d.runs[e]
			if x == nil {
				return invalidHandle
			}
			c := d.context()
			now := x.instance() // its nodes may be replaced before it runs
			return d.add(h, func() int32 {
				now.any(func(n *node) bool {
					if n.body != nil {
						d.values[n.condition] = unset
					}
					return false
				})
				return d.runGraph(c, now)
			})
		})
	},
	"cuGraphExecDestroy": func(e uintptr) uintptr {
		return do("cuGraphExecDestroy", func(d *Driver) int32 { delete(d.runs, e); return 0 })
	},
	"cuGraphDestroy": func(g uintptr) uintptr {
		return do("cuGraphDestroy", func(d *Driver) int32 {
			if x := d.graphs[g]; x != nil {
				x.any(func(n *node) bool {
					if n.body != nil {
						delete(d.values, n.condition)
						for h, b := range d.bodies {
							if b == n.body {
								delete(d.bodies, h)
							}
						}
					}
					return false
				})
			}
			delete(d.graphs, g)
			return 0
		})
	},
	"cuGraphConditionalHandleCreate": func(handle *uint64, g, context, value, flags uintptr) uintptr {
		return do("cuGraphConditionalHandleCreate", func(d *Driver) int32 {
			if d.graphOf(g) == nil || context != d.context() || value != 0 || flags != 0 {
				return invalidValue
			}
			*handle = uint64(d.handle())
			d.values[*handle] = unset
			return 0
		})
	},
	"cuGraphAddNode_v2": func(h *uintptr, g uintptr, behind *uintptr, edges, n uintptr, p *conditionalParams) uintptr {
		return do("cuGraphAddNode_v2", func(d *Driver) int32 {
			x := d.graphOf(g)
			if _, known := d.values[p.handle]; !known || p.kind != 13 || p.how > 1 || p.size != 1 || p.context != d.context() || p.reserved != [26]uint64{} || edges != 0 || x == nil || !x.follows(behind, n) {
				return invalidValue
			}
			y := &node{handle: d.handle(), condition: p.handle, repeats: p.how == 1, body: &graph{}}
			x.nodes = append(x.nodes, y)
			lastBody = d.handle()
			d.bodies[lastBody] = y.body
			*h, p.bodies = y.handle, &lastBody
			return 0
		})
	},
}
