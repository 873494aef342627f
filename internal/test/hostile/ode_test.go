package hostile

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/ode"
)

var odeFunctions = []function{
	{"ode.Odeint", ode.Odeint[weft.Array, weft.Array]},
	{"ode.Odeint", ode.Odeint[pair, pair]},
}
