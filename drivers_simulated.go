//go:build simulated

package weft

// With the build tag simulated the library imports the executor simulated-ptx, so that any
// program or test runs there: WEFT_EXECUTOR=simulated-ptx go test -tags simulated ./examples/...
import _ "github.com/weft-go/weft/internal/test/simulated"
