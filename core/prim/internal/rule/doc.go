// Package rule contains what the rules of primitives share: demands on operands, common forms of
// derivatives and batches, the text of parameters. It depends on no particular primitive.
package rule
