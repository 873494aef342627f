package simt

// Classes divides a convolution over an array with gaps into those that skip the zeros.
var Classes = (*Tensor).classes
