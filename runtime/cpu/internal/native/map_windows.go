//go:build (amd64 || arm64) && !purego

package native

import (
	"golang.org/x/sys/windows"
)

func mappers() []mapper { return []mapper{virtualMapper{}} }

// virtualMapper allocates pages for each piece of code, writes them and makes them executable.
type virtualMapper struct{}

func (virtualMapper) String() string { return "pages that are written first and then made executable" }

func (virtualMapper) place(code []byte) (uintptr, func(), error) {
	n := uintptr(len(code)+4095) &^ 4095
	at, err := windows.VirtualAlloc(0, n, windows.MEM_COMMIT|windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return 0, nil, err
	}
	release := func() { _ = windows.VirtualFree(at, 0, windows.MEM_RELEASE) }
	var done uintptr
	if err := windows.WriteProcessMemory(windows.CurrentProcess(), at, &code[0], uintptr(len(code)), &done); err != nil {
		release()
		return 0, nil, err
	}
	var old uint32
	if err := windows.VirtualProtect(at, n, windows.PAGE_EXECUTE_READ, &old); err != nil {
		release()
		return 0, nil, err
	}
	synchronize(at, n)
	return at, release, nil
}
