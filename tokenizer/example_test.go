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
	fmt.Println(t.Size())
	fmt.Println(t.ID("b"))
	fmt.Println(t.ID("c"))
	// Output:
	// 3
	// 2 true
	// 0 false
}
