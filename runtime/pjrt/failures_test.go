//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// Each function fails at its first, middle and last call. An error reports it unless it is harmless; no
// object is left, and nothing hangs.
func TestFailures(t *testing.T) {
	f := fakepjrt.New()
	if err := scenario(t.Context(), f, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	left(f)
	calls := f.Calls()
	unnoticed := map[string]bool{ // a failure costs only a figure, a file or memory that is not freed
		"Device_MemoryStats": true, "Executable_GetCompiledMemoryStats": true, "Executable_Serialize": true, "Executable_DeserializeAndLoad": true,
		"Buffer_Destroy": true, "LoadedExecutable_Destroy": true, "Executable_Destroy": true, "Error_Destroy": true, "Error_Message": true, "Error_GetCode": true,
	}
	for _, fn := range capi.Called() {
		name := strings.TrimPrefix(fn.String(), "PJRT_")
		n := calls[name]
		if n == 0 && !strings.HasPrefix(name, "Error_") && name != "Client_Destroy" {
			t.Errorf("%s was not called", name)
		}
		for _, at := range slices.Compact([]int{1, (n + 1) / 2, max(n, 1)}) {
			f := fakepjrt.New()
			f.Break(fakepjrt.Faults{Fail: func(function string, n int) bool {
				return function == name && n == at || strings.HasPrefix(name, "Error_") && function == "LoadedExecutable_Execute"
			}})
			done := make(chan error, 1)
			go func() { done <- scenario(t.Context(), f, t.TempDir()) }()
			select {
			case err := <-done:
				switch {
				case strings.HasPrefix(name, "Error_"), name == "Client_Destroy", err == nil && unnoticed[name]:
				case err == nil && name == "LoadedExecutable_GetExecutable": // it was called for a figure or a file
				case err == nil:
					t.Errorf("call %d of %s fails, and no error reports it", at, name)
				case !unnoticed[name] && !strings.Contains(err.Error(), fmt.Sprintf("%v failed: call %d of %s fails", fn, at, name)):
					t.Errorf("call %d of %s fails, and the error is %v", at, name, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("call %d of %s fails, and something hangs", at, name)
			}
			f.Break(fakepjrt.Faults{})
			if live := left(f); len(live) > 0 {
				t.Errorf("call %d of %s fails, and objects are left: %v", at, name, live)
			}
		}
	}
}

// A device that is lost at some call, after which no call succeeds, is an error: no object is left, and
// nothing hangs.
func TestLost(t *testing.T) {
	var calls atomic.Int64
	count := func(function string) int64 {
		if strings.HasPrefix(function, "Error_") {
			return 0
		}
		return calls.Add(1)
	}
	f := fakepjrt.New()
	f.Break(fakepjrt.Faults{Fail: func(function string, _ int) bool { return count(function) < 0 }})
	if err := scenario(t.Context(), f, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	left(f)
	most := calls.Load()
	for at := int64(1); at < most/2; at += 1 + most/80 { // in the other half the collector frees objects, with a varying number of calls
		f := fakepjrt.New()
		calls.Store(0)
		f.Break(fakepjrt.Faults{Fail: func(function string, _ int) bool { return count(function) >= at }})
		done := make(chan error, 1)
		go func() { done <- scenario(t.Context(), f, t.TempDir()) }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), " fails") {
				t.Errorf("no call succeeds from number %d on, and the error is %v", at, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("no call succeeds from number %d on, and something hangs", at)
		}
		f.Break(fakepjrt.Faults{})
		if live := left(f); len(live) > 0 {
			t.Errorf("no call succeeds from number %d on, and objects are left: %v", at, live)
		}
	}
}

// A function that succeeds without its result is an error, too.
func TestMissingResults(t *testing.T) {
	for name, word := range map[string]int{"Client_Create": 8, "Client_Compile": 6, "Client_BufferFromHostBuffer": 14, "Buffer_CopyToDevice": 4, "Executable_NumOutputs": 3,
		"TopologyDescription_Create": 6, "Compile": 7, "Client_AddressableDevices": 3, "Device_GetDescription": 3, "LoadedExecutable_GetExecutable": 3,
		"Executable_OutputElementTypes": 3, "Executable_OutputDimensions": 5, "Buffer_ToHostBuffer": 6, "Buffer_ReadyEvent": 3} {
		f := fakepjrt.New()
		f.Break(fakepjrt.Faults{Spoil: func(function string, w *[24]uintptr) {
			if function == name {
				w[word] = 0
			}
		}})
		if err := scenario(t.Context(), f, ""); err == nil {
			t.Errorf("%s returns nothing, and no error reports it", name)
		}
	}
	for name, missing := range map[string]func(w *[24]uintptr){
		"LoadedExecutable_Execute":  func(w *[24]uintptr) { ***(***uintptr)(unsafe.Pointer(&w[7])) = 0 },
		"Client_AddressableDevices": func(w *[24]uintptr) { w[3] = uintptr(unsafe.Pointer(&noDevices)) },
	} {
		f := fakepjrt.New()
		f.Break(fakepjrt.Faults{Spoil: func(function string, w *[24]uintptr) {
			if function == name {
				missing(w)
			}
		}})
		if err := scenario(t.Context(), f, ""); err == nil || !strings.Contains(err.Error(), "PJRT_"+name+" returned neither") {
			t.Errorf("%s returns a handle of 0, and the error is %v", name, err)
		}
	}
}

var noDevices [2]uintptr

// A context that ends at some call ends the wait, or comes too late: no object is left, nothing hangs,
// and the plugin works on.
func TestEndedContexts(t *testing.T) {
	f := fakepjrt.New()
	if err := scenario(t.Context(), f, ""); err != nil {
		t.Fatal(err)
	}
	left(f)
	most := 0
	for _, n := range f.Calls() {
		most += n
	}
	ended := 0
	for at := int64(1); at < int64(most); at += 1 + int64(most)/60 {
		f := fakepjrt.New()
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int64
		f.Break(fakepjrt.Faults{Fail: func(string, int) bool {
			if calls.Add(1) == at {
				cancel()
			}
			return false
		}})
		done := make(chan error, 1)
		go func() { done <- scenario(ctx, f, "") }()
		select {
		case err := <-done:
			switch {
			case errors.Is(err, context.Canceled):
				ended++
			case err != nil:
				t.Errorf("the context ends at call %d, and the error is %v", at, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("the context ends at call %d, and something hangs", at)
		}
		cancel()
		if err := scenario(t.Context(), f, ""); err != nil {
			t.Errorf("after a context that ended at call %d: %v", at, err)
		}
		if live := left(f); len(live) > 0 {
			t.Errorf("the context ends at call %d, and objects are left: %v", at, live)
		}
	}
	if ended == 0 {
		t.Error("no context ended a wait")
	}
}
