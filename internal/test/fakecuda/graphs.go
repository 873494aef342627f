//go:build linux && (amd64 || arm64)

package fakecuda

import (
	"slices"
)

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
			x, y := d.graphs[g], d.node(p)
			if x == nil || y == nil || n > 1 || n == 0 && len(x.nodes) > 0 || n == 1 && *behind != x.nodes[len(x.nodes)-1].handle {
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
			*e = d.handle()
			d.runs[*e] = &graph{nodes: slices.Clone(x.nodes)}
			return 0
		})
	},
	"cuGraphExecKernelNodeSetParams_v2": func(e, h uintptr, p *nodeParams) uintptr {
		return do("cuGraphExecKernelNodeSetParams_v2", func(d *Driver) int32 {
			x, y := d.runs[e], d.node(p)
			if x == nil || y == nil {
				return invalidHandle
			}
			for i, old := range x.nodes {
				if old.handle == h {
					y.handle = h
					x.nodes[i] = y
					return 0
				}
			}
			return invalidValue
		})
	},
	"cuGraphLaunch": func(e, h uintptr) uintptr {
		return do("cuGraphLaunch", func(d *Driver) int32 {
			x := d.runs[e]
			if x == nil {
				return invalidHandle
			}
			c := d.context()
			nodes := slices.Clone(x.nodes) // those of now
			return d.add(h, func() int32 {
				for _, n := range nodes {
					if code := d.execute(c, n); code != 0 {
						return code
					}
				}
				return 0
			})
		})
	},
	"cuGraphExecDestroy": func(e uintptr) uintptr {
		return do("cuGraphExecDestroy", func(d *Driver) int32 { delete(d.runs, e); return 0 })
	},
	"cuGraphDestroy": func(g uintptr) uintptr {
		return do("cuGraphDestroy", func(d *Driver) int32 { delete(d.graphs, g); return 0 })
	},
}
