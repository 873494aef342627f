//go:build darwin || freebsd || linux || netbsd || openbsd

package cpu

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file unless it is locked already.
func tryLock(f *os.File) (locked bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK || err == unix.EINTR {
		return false, nil
	}
	return err == nil, err
}
