//go:build !drivers

package main

import "errors"

const hasDrivers = false

func aboutMPI() (string, error) {
	return "", errors.New("the command was built without drivers; go install -tags drivers github.com/weft-go/weft/cmd/weft")
}
