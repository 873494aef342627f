// Command generate writes vocabulary.go of the package for which go generate runs it.
package main

import (
	"log"
	"os"

	"github.com/weft-go/weft/internal/test/vocabulary"
)

func main() {
	log.SetFlags(0)
	text, err := vocabulary.Generate(".", os.Getenv("GOPACKAGE"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("vocabulary.go", text, 0o644); err != nil {
		log.Fatal(err)
	}
}
