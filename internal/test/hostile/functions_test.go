package hostile

import "slices"

// A function is an exported function, or an instance of one.
type function struct {
	name string
	f    any
}

// functions are the exported functions by name; one that is generic stands for several types.
var functions = slices.Concat(
	weftFunctions, nnFunctions, customFunctions, linalgFunctions, fftFunctions, specialFunctions,
	statsFunctions, laxFunctions, randomFunctions, optimFunctions, imageFunctions, treeFunctions, odeFunctions, dataFunctions,
)
