//go:build !darwin && !freebsd && !linux && !netbsd && !openbsd && !windows

package cpu

import (
	"errors"
	"os"
)

// tryLock reports that files have no locks.
func tryLock(*os.File) (locked bool, err error) { return false, errors.ErrUnsupported }
