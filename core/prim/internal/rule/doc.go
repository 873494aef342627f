// Package rule contains what the rules of primitives share, as far as it binds no particular
// operation: demands on operands, common forms of derivatives and batches, the text of parameters.
package rule
