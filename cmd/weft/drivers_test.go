//go:build drivers

package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/runtime/cuda"
	"github.com/weft-go/weft/runtime/opencl"
)

// With drivers, env lists each device with its properties, and the reason where there is no device of a kind.
func TestEnvDevices(t *testing.T) {
	env := output(t, "env")
	for kind, list := range map[string]func() ([]string, error){"cuda:": cuda.Devices, "opencl:": opencl.Devices} {
		lines, err := list()
		if err != nil && !strings.Contains(env, kind+"… cannot be had: "+err.Error()) {
			t.Errorf("env does not state that %v:\n%s", err, env)
		}
		for _, line := range lines {
			name, about, _ := strings.Cut(line, " ")
			if !strings.Contains(env, name+" ("+about+")") {
				t.Errorf("env does not list %s:\n%s", line, env)
			}
		}
	}
}

// A command with drivers describes the MPI library, or says why there is none.
func TestEnvMPI(t *testing.T) {
	t.Setenv("WEFT_MPI", "/nowhere/libmpi.so")
	env := output(t, "env")
	if want := "none: WEFT_MPI=/nowhere/libmpi.so cannot be loaded"; !strings.Contains(env, want) {
		t.Errorf("got\n%s\nwant %q", env, want)
	}
}
