// Package onnx reads and writes ONNX files: protobuf messages become a [Model] of plain Go values, and a program
// becomes such a model.
//
// The reader knows the format and nothing of the operators. It refuses what cannot be right
// (sizes that do not fit, types that do not exist, nesting without end, external files outside of
// the model's folder) with an error that names the place in the file as a path of fields:
//
//	graph.node[3].attribute[0].t: …
//
// Unknown fields are skipped, fields may come in any order, repeated numbers packed or not, and
// a graph that occurs twice is merged, as protobuf demands.
//
// Elements that lie in memory as in the file are not copied, except for booleans: the data of their tensors is a part of
// what [Read] was given or of an external file.
//
// [Write] translates a primitive by a rule, or as the operations of which it is made. Where an operator leaves results
// undefined that weft defines, for example of divisions by zero and of conversions out of range, nodes around it choose
// weft's results; an operator that lacks a type is computed in a wider one. [Marshal] encodes the model that Write
// returns.
package onnx
