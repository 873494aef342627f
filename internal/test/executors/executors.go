// Package executors imports the executors of processors and, by the build tags drivers and
// simulated, those of devices. Tests of packages that run programs without the library's root
// import it, so that WEFT_EXECUTOR can select an executor there as it does elsewhere.
package executors

import _ "github.com/weft-go/weft/runtime/cpu"
