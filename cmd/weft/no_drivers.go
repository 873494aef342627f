//go:build !drivers

package main

const hasDrivers = false
