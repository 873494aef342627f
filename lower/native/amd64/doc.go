// Package amd64 is the target of native code for amd64, with AVX-512 or with AVX2 and FMA: its
// registers, its instructions for the operations of kernels and micro-kernels, and their encoding.
package amd64
