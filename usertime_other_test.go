//go:build !unix

package weft_test

import "time"

func userTime() time.Duration { return 0 }
