//go:build linux || darwin || freebsd || netbsd || openbsd

package pages

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// mapped contains the files that are mapped. They stay mapped, because arrays share their memory;
// the system may drop their pages.
var mapped struct {
	sync.Mutex
	files []mappedFile
}

type mappedFile struct {
	info os.FileInfo
	data []byte
}

// File returns the bytes of a file, which it maps where the system can, and reports whether they are
// mapped. Mapped bytes must not be written, and their file must not change: reading where it has
// become shorter ends the process with a bus error.
func File(f *os.File) (data []byte, mapping bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	n := int(info.Size())
	if !info.Mode().IsRegular() || n == 0 || int64(n) != info.Size() {
		return Read(f)
	}
	mapped.Lock()
	defer mapped.Unlock()
	for _, m := range mapped.files {
		if os.SameFile(m.info, info) && m.info.Size() == info.Size() && m.info.ModTime().Equal(info.ModTime()) {
			return m.data, true, nil
		}
	}
	data, err = unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return Read(f)
	}
	mapped.files = append(mapped.files, mappedFile{info, data})
	return data, true, nil
}

// Forget lets the system drop the pages of a mapped file. Reading them loads them again.
func Forget(data []byte) {
	_ = unix.Madvise(data, unix.MADV_DONTNEED) // otherwise the pages stay longer, which is not wrong
}
