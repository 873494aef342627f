// Package stablehlo reads StableHLO modules, as text or as bytecode of portable
// artifacts, translates their functions to jaxprs, and writes jaxprs as modules.
//
// [Read] returns a [Module]: functions of operations, as the file has them.
// [Module.Program] stages a function for arguments of given types. The meaning of
// every operation is StableHLO's; where it differs from that of the primitive of the
// same name, the translation writes the difference out. [Write] returns a module as text.
package stablehlo
