package pjrt

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// A Store holds values that several processes share. Many goroutines use it at once.
type Store interface {
	// Put stores a value under a key.
	Put(key string, value []byte) error
	// Get returns the value of a key. If there is none yet, Get waits for at most the time wait, and
	// then returns [ErrNoValue].
	Get(key string, wait time.Duration) ([]byte, error)
}

// ErrNoValue is the error of a store that has no value of a key.
var ErrNoValue = capi.ErrNoValue

const storeOption = "store"

// Share returns an option with the store by which the processes of one client find each other. Plugins
// for GPUs use it together with their options node_id and num_nodes; plugins for processors do not.
func Share(s Store) Config { return Config{name: storeOption, value: s, own: true} }

// StoreIn returns a store in a folder that all processes see. Each run needs a new folder: it would take the
// values of a former run for its own.
func StoreIn(folder string) Store { return folderStore(folder) }

// folderStore keeps each value in a file of its own.
type folderStore string

// pause is the time between two looks for a value that is not there yet.
const pause = 5 * time.Millisecond

func (s folderStore) file(key string) string {
	return filepath.Join(string(s), fmt.Sprintf("%x", sha256.Sum256([]byte(key))))
}

// Put writes a file under another name first, so that Get finds all of it or nothing.
func (s folderStore) Put(key string, value []byte) error {
	if err := os.MkdirAll(string(s), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(string(s), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(value)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), s.file(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

func (s folderStore) Get(key string, wait time.Duration) ([]byte, error) {
	for end := time.Now().Add(wait); ; time.Sleep(min(pause, time.Until(end))) {
		value, err := os.ReadFile(s.file(key))
		switch {
		case err == nil:
			return value, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case !time.Now().Before(end):
			return nil, fmt.Errorf("key %q: %w", key, ErrNoValue)
		}
	}
}
