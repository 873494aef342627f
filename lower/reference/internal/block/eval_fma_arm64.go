//go:build !purego

package block

const fusesVectors = true
