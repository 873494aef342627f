package cpu

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// lockWait is how long a process waits for the lock of another one, which holds it for some
// milliseconds.
const lockWait = 10 * time.Second

// lockFile locks a file, which it creates, until the returned function unlocks it. It waits for
// other processes until some time. The system unlocks the files of a process that ends. The file
// stays: if it were removed, one process could lock the old file and another one a new file. Where
// the system has no locks, nothing is locked.
func lockFile(path string, until time.Time) (unlock func(), err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s cannot be locked (got mode %v, want a file); remove it", path, info.Mode())
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		locked, err := tryLock(f)
		if locked || errors.Is(err, errors.ErrUnsupported) {
			return func() { _ = f.Close() }, nil
		}
		if err == nil && time.Now().After(until) {
			err = fmt.Errorf("another process keeps %s locked; end it, or name another file", path)
		}
		if err != nil {
			_ = f.Close()
			return nil, err
		}
		time.Sleep(time.Millisecond)
	}
}
