module github.com/weft-go/weft

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/stretchr/testify v1.12.1
	github.com/x448/float16 v0.8.4
	golang.org/x/arch v0.32.0
	golang.org/x/sys v0.49.0
	pgregory.net/rapid v1.3.0
)

require google.golang.org/protobuf v1.36.12

require (
	github.com/ebitengine/purego v0.11.3
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)
