package hostile

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

var customFunctions = []function{
	{"custom.Closure", custom.Closure[weft.Array, weft.Array]},
	{"custom.Closure", custom.Closure[pair, pair]},
	{"custom.Gradient", custom.Gradient[weft.Array, weft.Array]},
	{"custom.Gradient", custom.Gradient[pair, pair]},
	{"custom.JVP", custom.JVP[weft.Array, weft.Array]},
	{"custom.JVP", custom.JVP[pair, pair]},
	{"custom.LinearCall", custom.LinearCall[weft.Array, weft.Array, weft.Array]},
	{"custom.LinearCall", custom.LinearCall[pair, pair, pair]},
	{"custom.LinearSolveAux", custom.LinearSolveAux[weft.Array, weft.Array]},
	{"custom.LinearSolveAux", custom.LinearSolveAux[pair, pair]},
	{"custom.LinearSolve", custom.LinearSolve[weft.Array]},
	{"custom.LinearSolve", custom.LinearSolve[pair]},
	{"custom.NewJVP", custom.NewJVP[weft.Array, weft.Array, weft.Array]},
	{"custom.NewJVP", custom.NewJVP[pair, pair, pair]},
	{"custom.NewVJP", custom.NewVJP[weft.Array, weft.Array, weft.Array, weft.Array]},
	{"custom.NewVJP", custom.NewVJP[pair, pair, pair, pair]},
	{"custom.RootAux", custom.RootAux[weft.Array, weft.Array]},
	{"custom.RootAux", custom.RootAux[pair, pair]},
	{"custom.Root", custom.Root[weft.Array]},
	{"custom.Root", custom.Root[pair]},
	{"custom.Symmetric", custom.Symmetric},
	{"custom.VJP", custom.VJP[weft.Array, weft.Array, weft.Array]},
	{"custom.VJP", custom.VJP[pair, pair, pair]},
	{"custom.Vmap", custom.Vmap[weft.Array, weft.Array]},
	{"custom.Vmap", custom.Vmap[pair, pair]},
}
