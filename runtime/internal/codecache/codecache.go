// Package codecache keeps programs that drivers have compiled: for as long as a process uses them, and
// their machine code in folders on the disk.
package codecache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Key is the hash of what code was compiled from and of what compiled it.
type Key [sha256.Size]byte

// folderBytes bounds the files of a folder. Those used longest ago are removed first.
const folderBytes = 256 << 20

// partial begins the names of files that are being written. A process that ends meanwhile leaves one,
// which trimming removes once it is older than partialAge.
const (
	partial    = "new-"
	partialAge = time.Hour
)

// A Folder keeps code by keys. A nil Folder keeps none. Several goroutines and processes may use one
// folder at once.
type Folder struct {
	dir, suffix string
	written     atomic.Bool // since the folder was trimmed
	trimming    atomic.Bool
}

// Dir returns the folder that an environment variable names: weft/name of the user's cache directory if
// the variable is empty, "" if it is off or there is no such directory.
func Dir(variable, name string) string {
	switch dir := os.Getenv(variable); dir {
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(base, "weft", name)
	case "off":
		return ""
	default:
		return dir
	}
}

// In returns the folder dir, whose files' names end with suffix; nil if dir is "".
func In(dir, suffix string) *Folder {
	if dir == "" {
		return nil
	}
	return &Folder{dir: dir, suffix: suffix}
}

func (f *Folder) file(key Key) string {
	return filepath.Join(f.dir, hex.EncodeToString(key[:])+f.suffix)
}

// seal returns what a file begins with: the hash of its key and its code.
func seal(key Key, code []byte) []byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(code)
	return h.Sum(nil)
}

// Read returns the code with a key, unless there is none or its file is damaged.
func (f *Folder) Read(key Key) ([]byte, bool) {
	if f == nil {
		return nil, false
	}
	file := f.file(key)
	data, err := os.ReadFile(file)
	if err != nil || len(data) <= sha256.Size {
		return nil, false
	}
	code := data[sha256.Size:]
	if !bytes.Equal(seal(key, code), data[:sha256.Size]) {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // used last, so removed last
	return code, true
}

// Write keeps code, in place of what had its key. A failure costs time later, nothing else.
func (f *Folder) Write(key Key, code []byte) {
	if f == nil || os.MkdirAll(f.dir, 0o755) != nil {
		return
	}
	w, err := os.CreateTemp(f.dir, partial+"*")
	if err != nil {
		return
	}
	_, err = w.Write(append(seal(key, code), code...))
	if e := w.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.Name(), f.file(key))
	}
	if err != nil {
		_ = os.Remove(w.Name())
		return
	}
	f.written.Store(true)
}

// TrimLater trims the folder in the background if this process has written to it since it was
// trimmed, and is not trimming it now. Nothing waits for it: a folder can have many files.
func (f *Folder) TrimLater() {
	if f == nil || !f.written.Load() || !f.trimming.CompareAndSwap(false, true) {
		return
	}
	go func() {
		f.written.Store(false)
		f.trim(folderBytes, time.Now().Add(-partialAge))
		f.trimming.Store(false)
	}()
}

// trim removes the files that were used longest ago, down to a number of bytes, and those that
// processes have left unfinished before a time.
func (f *Folder) trim(most int64, left time.Time) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
		case strings.HasSuffix(e.Name(), f.suffix):
			files = append(files, info)
			total += info.Size()
		case strings.HasPrefix(e.Name(), partial) && info.ModTime().Before(left):
			_ = os.Remove(filepath.Join(f.dir, e.Name()))
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range files {
		if total <= most {
			return
		}
		if os.Remove(filepath.Join(f.dir, info.Name())) == nil {
			total -= info.Size()
		}
	}
}
