package hostile

import "github.com/weft-go/weft/image"

var imageFunctions = []function{
	{"image.Resize", image.Resize},
	{"image.ScaleAndTranslate", image.ScaleAndTranslate},
}
