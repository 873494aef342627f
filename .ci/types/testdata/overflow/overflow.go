// Package overflow has an integer that 32 bits cannot hold, and a function that Windows lacks.
package overflow

import "os"

func large() int { return 1 << 40 }

func Sum() int { return large() + one() + os.Getpid() }
