package nd

import _ "github.com/weft-go/weft/internal/test/executors" // so that WEFT_EXECUTOR can select an executor here
