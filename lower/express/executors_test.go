package express_test

import _ "github.com/weft-go/weft/runtime/cpu" // so that WEFT_EXECUTOR can select a native executor here
