package hostile

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
)

var dataFunctions = []function{
	{"data.Batches", data.Batches[weft.Array]},
	{"data.Batches", data.Batches[pair]},
	{"data.Shuffle", data.Shuffle[pair]},
	{"data.Order", data.Order},
	{"data.Epochs", data.Epochs[pair]},
	{"data.Split", data.Split[pair]},
	{"data.Len", data.Len[pair]},
	{"data.Slice", data.Slice[pair]},
	{"data.Take", data.Take[pair]},
	{"data.Prefetch", data.Prefetch[pair]},
}
