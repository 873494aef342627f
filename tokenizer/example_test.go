package tokenizer_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/weft-go/weft/tokenizer"
)

func ExampleLoadFile() {
	folder, err := os.MkdirTemp("", "tokenizer")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "tokenizer.json")
	const words = `{"model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "b": 2}, "unk_token": "?"}, "pre_tokenizer": {"type": "Whitespace"}}`
	if err := os.WriteFile(file, []byte(words), 0o644); err != nil {
		panic(err)
	}

	t, err := tokenizer.LoadFile(file)
	if err != nil {
		panic(err)
	}
	e, err := t.Encode("a b c")
	if err != nil {
		panic(err)
	}
	fmt.Println(e.IDs, e.Tokens)
	fmt.Println(t.Decode(e.IDs))
	fmt.Println(t.ID("b"))
	fmt.Println(t.Size())
	// Output:
	// [1 2 0] [a b ?]
	// a b ?
	// 2 true
	// 3
}
