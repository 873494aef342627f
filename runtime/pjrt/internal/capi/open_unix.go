//go:build (linux || darwin) && (amd64 || arm64)

package capi

import (
	"debug/elf"
	"fmt"
	"os"
	"runtime"

	"github.com/ebitengine/purego"
)

func open(path, name string) (uintptr, error) {
	if runtime.GOOS == "linux" {
		if err := complete(path); err != nil {
			return 0, err
		}
	}
	runtime.LockOSThread() // the system keeps an error's text for the thread
	defer runtime.UnlockOSThread()
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	f, err := purego.Dlsym(lib, name)
	if err != nil {
		_ = purego.Dlclose(lib)
	}
	return f, err
}

// complete returns an error if a library lacks its end, as after a download that broke off. The
// system would map it, and end the process where it reads what is not there.
func complete(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("it is no library, or only a part of one (%w)", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if end := p.Off + p.Filesz; p.Type == elf.PT_LOAD && (end < p.Off || end > uint64(info.Size())) {
			return fmt.Errorf("it has %d bytes of the %d of the library; download it again", info.Size(), end)
		}
	}
	return nil
}
