// Package runtime contains concrete arrays ([Array]), the interface of executors and their
// registry, and the bottom interpreter, which evaluates what no transformation handles: it
// sets core.Bottom when it is imported. It is for authors of executors; programs import
// package weft.
//
// The reference executor evaluates programs operation by operation with the kernels of
// package lower/reference. Its results define the results of every other executor.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package runtime
