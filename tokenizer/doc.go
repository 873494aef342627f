// Package tokenizer turns texts into the numbers that language models take, and back. It reads
// the files tokenizer.json of Hugging Face's library tokenizers, and computes what that library
// does:
//
//	t, err := tokenizer.LoadFile("tokenizer.json")
//	e, err := t.Encode("Hello, world")
//	text := t.Decode(e.IDs)
//
// A text passes through four steps, each of which the file describes: a normalizer rewrites it, a
// pre-tokenizer cuts it into pieces, a model finds the tokens of each piece (byte-pair encoding,
// WordPiece, Unigram or whole words), and a post-processor adds tokens around them, such as
// BERT's CLS. Added tokens are found in the text before these steps, or after the normalizer. A decoder
// joins tokens to a text again.
//
// A file with a step that this package does not know is refused, by an error that names the step.
// Sizes and nesting are bounded, so that no file exhausts the memory. Texts are encoded one by one:
// padding to the longest of a batch is left to the code that makes batches.
package tokenizer
