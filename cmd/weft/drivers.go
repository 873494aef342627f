//go:build drivers

package main

import (
	_ "github.com/weft-go/weft/runtime/cuda"
	_ "github.com/weft-go/weft/runtime/opencl"
	_ "github.com/weft-go/weft/runtime/pjrt"

	"github.com/weft-go/weft/runtime/mpi"
)

const hasDrivers = true

func aboutMPI() (string, error) { return mpi.About() }
