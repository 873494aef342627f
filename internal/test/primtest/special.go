package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// halfFloats are the floats of 16 bits and more.
var halfFloats = realFloats[:4]

// incomplete returns the special functions of several operands that have no fixed number of steps.
func incomplete() []Sample {
	var s []Sample
	positive, inside := between(0.25, 3), between(0.1, 0.9)
	const order, shape = "there is no derivative in the order", "there is no derivative in the shape"
	for _, dt := range halfFloats {
		two := []core.ShapedArray{core.Aval(dt, 3), core.Aval(dt, 3)}
		for _, p := range []core.Primitive{prim.IgammaP{}, prim.IgammacP{}, prim.IgammaGradAP{}, prim.RandomGammaGradP{}} {
			s = append(s, Sample{Prim: p, In: two, Dom: []Domain{positive, positive}})
		}
		s = append(s,
			Sample{Prim: prim.ZetaP{}, In: two, Dom: []Domain{between(1.5, 4), positive}, NoFD: order},
			Sample{Prim: prim.RegularizedIncompleteBetaP{}, In: []core.ShapedArray{two[0], two[0], two[0]}, Dom: []Domain{positive, positive, inside}, NoFD: shape})
	}
	spread := []core.ShapedArray{core.Aval(core.Float32), core.Aval(core.Float32, 2, 3)}
	return append(s,
		Sample{Prim: prim.IgammaP{}, In: spread, Dom: []Domain{positive, positive}},
		Sample{Prim: prim.IgammaP{}, In: []core.ShapedArray{core.Aval(core.Float32, 2, 1), core.Aval(core.Float32, 2, 3)}, Dom: []Domain{positive, positive}},
		Sample{Prim: prim.RegularizedIncompleteBetaP{}, In: []core.ShapedArray{spread[1], spread[0], spread[1]}, Dom: []Domain{positive, positive, inside}, NoFD: shape})
}

func bessel() []Sample {
	s := each(prim.BesselI0eP{}, halfFloats, between(0.25, 3), "")
	return append(s, each(prim.BesselI1eP{}, halfFloats, between(0.25, 3), "")...)
}
