package cpu

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Times of a lock file: how long a process waits for another one's, and the age from which a
// lock was left behind by a process that ended. Locks are held for some milliseconds.
const (
	lockWait  = 10 * time.Second
	lockStale = 5 * time.Second
)

// lockFile creates a file that did not exist, and waits for another process to remove it until
// some time. The function that it returns removes the file.
func lockFile(path string, until time.Time) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			return func() { _ = os.Remove(path) }, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > lockStale {
			_ = os.Remove(path)
			continue
		}
		if time.Now().After(until) {
			return nil, fmt.Errorf("another process keeps %s locked; remove the file if none does", path)
		}
		time.Sleep(time.Millisecond)
	}
}
