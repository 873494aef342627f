package schedule

import (
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/fuse"
)

// WhyOnHost returns the reason why the reference executor runs an equation for a device that has no kernels for it.
func WhyOnHost(c *fuse.Call) string {
	if c.Reason != fuse.NoKernel {
		return c.Reason
	}
	switch p := c.Eqn.Prim.(type) {
	case matrices.EighP, matrices.SVDP, matrices.EigP, matrices.SchurP:
		return "iterates on the host"
	case matrices.HessenbergP, matrices.TridiagonalP:
		return "no kernel of reflections on both sides"
	case matrices.QRP:
		if p.Pivoting {
			return "no kernel that chooses columns"
		}
	}
	return c.Reason
}
