package hostile

import "github.com/weft-go/weft/stats"

var statsFunctions = []function{
	{"stats.CorrCoef", stats.CorrCoef},
	{"stats.Cov", stats.Cov},
}
