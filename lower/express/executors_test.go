package express_test

import _ "github.com/weft-go/weft/internal/executors" // so that WEFT_EXECUTOR can select an executor here
