// Package kernel holds the numbers: for every primitive and dtype what its result
// is, to the bit. Elementwise operations are expansions into a small typed scalar
// program with explicit fma, run by a blocked evaluator; the rest are canonical
// loops. A table keyed by primitive names them, and a test lists its holes.
package kernel
