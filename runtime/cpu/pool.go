package cpu

import (
	goruntime "runtime"
	"sync"

	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

func maxProcs() int { return goruntime.GOMAXPROCS(0) }

// workers is the pool of threads that all programs share. It starts when work first pays
// for more than one thread.
var workers = sync.OnceValue(func() *native.Pool { return native.NewPool(defaultThreads()) })
