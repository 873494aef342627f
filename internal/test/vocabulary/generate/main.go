// Command generate writes vocabulary.go of the package in the working directory.
package main

import (
	"log"
	"os"

	"github.com/weft-go/weft/internal/test/vocabulary"
)

func main() {
	log.SetFlags(0)
	text, err := vocabulary.Generate(".")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("vocabulary.go", text, 0o644); err != nil {
		log.Fatal(err)
	}
}
