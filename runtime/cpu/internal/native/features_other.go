//go:build (!amd64 && !js) || purego

package native

import "runtime"

var detected = Features{NEON: runtime.GOARCH == "arm64"}
