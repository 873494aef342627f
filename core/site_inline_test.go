package core

import (
	"runtime"
	"testing"
)

// Where a function of Weft is inlined into one of the user's, its function literals
// are named after the user's function. What starts a goroutine or iterates is not the user's.
func TestFramesOfTheUser(t *testing.T) {
	for _, c := range []struct {
		function, file string
		user           bool
	}{
		{"main.main.func38.Array.Sum.func39", moduleRoot + "reduce.go", false},
		{"example.com/shop.Train.Jaxpr.func1", moduleRoot + "ahead.go", false},
		{"github.com/weft-go/weft/examples/mlp.loss.Array.Sum.func1", moduleRoot + "reduce.go", false},
		{"main.main.func38", "/home/someone/shop/reduce.go", true},
		{"main.main", moduleRoot + "examples/mlp/main.go", true},
		{"main.run", moduleRoot + "cmd/weft/main.go", true},
		{"github.com/weft-go/weft_test.TestX", moduleRoot + "reduce_test.go", true},
		{"github.com/weft-go/weft.Array.Sum", moduleRoot + "reduce.go", false},
		{"sync.(*WaitGroup).Go.func1", "/usr/local/go/src/sync/waitgroup.go", false},
		{"synced.Run", "/home/someone/synced/run.go", true},
		{"github.com/weft-go/weftless.Sum", "/home/someone/weftless/sum.go", true},
	} {
		if got := isUser(runtime.Frame{Function: c.function, File: c.file}); got != c.user {
			t.Errorf("isUser(%s in %s) = %v, want %v", c.function, c.file, got, c.user)
		}
	}
}
