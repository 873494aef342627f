//go:build !purego

package product

const fusesVectors = true
