// Package arm64 is the code generator's target for NEON, the vectors of 128 bits that every 64-bit
// ARM processor has (ARMv8.0): its operations, and an encoder of its own for the instructions.
package arm64
