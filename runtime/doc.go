// Package runtime is where arrays exist. It holds [Array], the concrete value, and
// the bottom interpreter, which evaluates what no transformation claims: it sets
// core.Bottom when it is imported. The reference executor evaluates programs
// operation by operation with the kernels of package lower/kernel; what it
// computes is what every other executor must compute.
package runtime
