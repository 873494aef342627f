package wasm_test

import _ "github.com/weft-go/weft/internal/test/executors"
