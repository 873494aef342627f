package hostile

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
)

var optimFunctions = []function{
	{"optim.ClipByNorm", optim.ClipByNorm[weft.Array]},
	{"optim.ClipByNorm", optim.ClipByNorm[pair]},
	{"optim.ClipByValue", optim.ClipByValue[weft.Array]},
	{"optim.ClipByValue", optim.ClipByValue[pair]},
	{"optim.Matrices", optim.Matrices},
	{"optim.Minimize", optim.Minimize[weft.Array]},
	{"optim.Minimize", optim.Minimize[pair]},
	{"optim.NewAccumulate", optim.NewAccumulate[weft.Array]},
	{"optim.NewAccumulate", optim.NewAccumulate[pair]},
	{"optim.NewAdafactor", optim.NewAdafactor[weft.Array]},
	{"optim.NewAdafactor", optim.NewAdafactor[pair]},
	{"optim.NewAdagrad", optim.NewAdagrad[weft.Array]},
	{"optim.NewAdagrad", optim.NewAdagrad[pair]},
	{"optim.NewAdamW", optim.NewAdamW[weft.Array]},
	{"optim.NewAdamW", optim.NewAdamW[pair]},
	{"optim.NewAdam", optim.NewAdam[weft.Array]},
	{"optim.NewAdam", optim.NewAdam[pair]},
	{"optim.NewAverage", optim.NewAverage[weft.Array]},
	{"optim.NewAverage", optim.NewAverage[pair]},
	{"optim.NewLBFGS", optim.NewLBFGS[weft.Array]},
	{"optim.NewLBFGS", optim.NewLBFGS[pair]},
	{"optim.NewLion", optim.NewLion[weft.Array]},
	{"optim.NewLion", optim.NewLion[pair]},
	{"optim.NewMomentum", optim.NewMomentum[weft.Array]},
	{"optim.NewMomentum", optim.NewMomentum[pair]},
	{"optim.NewNadam", optim.NewNadam[weft.Array]},
	{"optim.NewNadam", optim.NewNadam[pair]},
	{"optim.NewParts", optim.NewParts[weft.Array]},
	{"optim.NewParts", optim.NewParts[pair]},
	{"optim.NewRMSProp", optim.NewRMSProp[weft.Array]},
	{"optim.NewRMSProp", optim.NewRMSProp[pair]},
	{"optim.NewSGD", optim.NewSGD[weft.Array]},
	{"optim.NewSGD", optim.NewSGD[pair]},
	{"optim.Norm", optim.Norm[weft.Array]},
	{"optim.Norm", optim.Norm[pair]},
}
