package arm64

import _ "github.com/weft-go/weft/internal/test/executors"
