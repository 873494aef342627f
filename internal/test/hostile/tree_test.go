package hostile

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/tree"
)

var treeFunctions = []function{
	{"tree.Combine", tree.Combine[weft.Array]},
	{"tree.Combine", tree.Combine[pair]},
	{"tree.Partition", tree.Partition[weft.Array]},
	{"tree.Partition", tree.Partition[pair]},
}
