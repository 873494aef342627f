package weft

import _ "github.com/weft-go/weft/runtime/cpu" // the native executor registers itself
