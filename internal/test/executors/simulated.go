//go:build simulated

package executors

import _ "github.com/weft-go/weft/internal/test/simulated"
