//go:build !amd64 || purego

package native

import "runtime"

var detected = Features{NEON: runtime.GOARCH == "arm64"}
