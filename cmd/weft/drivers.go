//go:build drivers

package main

import (
	_ "github.com/weft-go/weft/runtime/cuda"
	_ "github.com/weft-go/weft/runtime/opencl"
)

const hasDrivers = true
