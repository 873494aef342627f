// Darwin links what the package asks macOS's library for.
package main

import "github.com/weft-go/weft/runtime/cpu/internal/native"

func main() {
	if err := native.Perilous(); err != nil {
		panic(err)
	}
	if _, err := native.Load("none", nil); err != nil {
		panic(err)
	}
}
