package stablehlo

import "strings"

// operations maps names to the operations that are not in elementwise.
var operations map[string]operation

var unsupported = map[string]string{
	"stablehlo.rng":                "its numbers are not determined by its operands; use rng_bit_generator",
	"stablehlo.infeed":             "a program has no feed from the host; pass the values as arguments",
	"stablehlo.outfeed":            "a program has no feed to the host; return the values",
	"stablehlo.send":               "programs run on one device; export for one device",
	"stablehlo.recv":               "programs run on one device; export for one device",
	"stablehlo.async_start":        "operations run one after the other; export without asynchronous operations",
	"stablehlo.async_done":         "operations run one after the other; export without asynchronous operations",
	"stablehlo.uniform_quantize":   "there are no quantized types; export the model without quantization",
	"stablehlo.uniform_dequantize": "there are no quantized types; export the model without quantization",
}

func init() {
	// The tables name functions that look operations up in them, so they are filled here.
	elementwiseTable()
	chloTable()
	shapeTable()
	controlTable()
	reduceTable()
	indexTable()
	linalgTable()
	otherTable()
	dynamicTable()
	operations = map[string]operation{}
	for _, group := range []map[string]operation{shapeOps, controlOps, reduceOps, indexOps, linalgOps, otherOps, chloOps, dynamicOps} {
		for name, g := range group {
			operations[name] = g
		}
	}
	for _, name := range strings.Fields("collective_broadcast collective_reduce cross-replica-sum") {
		unsupported["stablehlo."+name] = "programs run on one device, collectives name several; export without sharding"
	}
}
