//go:build !purego

package linalg

const fusesVectors = true
