//go:build (linux || windows) && (amd64 || arm64)

package cuda

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

	"github.com/weft-go/weft/runtime/device"
)

// cacheVariable names the folder of machine code, or is "off".
const cacheVariable = "WEFT_CUDA_CACHE"

// cacheDir returns the folder of machine code, "" for none.
func cacheDir() string {
	switch dir := os.Getenv(cacheVariable); dir {
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(base, "weft", "cuda")
	case "off":
		return ""
	default:
		return dir
	}
}

// cacheBytes bounds the files of the folder. The oldest go first.
const cacheBytes = 256 << 20

const cacheSuffix = ".cubin"

func cacheFile(dir string, key device.Digest) string {
	return filepath.Join(dir, hex.EncodeToString(key[:])+cacheSuffix)
}

// readCache returns the code with a key. A file is its own hash and the code.
func readCache(dir string, key device.Digest) ([]byte, bool) {
	if dir == "" {
		return nil, false
	}
	file := cacheFile(dir, key)
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(data[sha256.Size:])
	if !bytes.Equal(sum[:], data[:sha256.Size]) {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // used: one of the last to go
	return data[sha256.Size:], true
}

// writeCache keeps code. What fails costs time later, nothing else.
func writeCache(dir string, key device.Digest, code []byte) {
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	sum := sha256.Sum256(code)
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(sum[:], code...))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), cacheFile(dir, key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// trimLater trims a folder after a process has written to it, unless that goes on. Nothing
// waits for it: a folder can have many files.
func trimLater(dir string) {
	if trimming.CompareAndSwap(false, true) {
		go func() {
			trimCache(dir, cacheBytes)
			trimming.Store(false)
		}()
	}
}

var trimming atomic.Bool

// trimCache removes the files that were used longest ago, down to a number of bytes.
func trimCache(dir string, most int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), cacheSuffix) {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= most {
			return
		}
		if os.Remove(filepath.Join(dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
