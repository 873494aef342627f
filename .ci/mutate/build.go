package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed mutant.go.txt
var mutantSource []byte

// build compiles the test binaries of the test packages with all mutations. It returns the
// binaries' files by package, and the places without those that do not compile.
func build(work string, places []place) (map[string]string, []place, error) {
	for {
		overlay, err := writeOverlay(work, places)
		if err != nil {
			return nil, nil, err
		}
		args := []string{"build", "-p", "1", "-overlay", overlay}
		for _, t := range targets {
			args = append(args, "./"+t.pkg)
		}
		text, err := goCommand(args...)
		if err == nil {
			binaries := map[string]string{}
			for _, pkg := range testPackages {
				file := filepath.Join(work, strings.ReplaceAll(pkg, "/", "-")+".test")
				if pkg == "." {
					file = filepath.Join(work, "weft.test")
				}
				if text, err := goCommand("test", "-c", "-p", "1", "-vet=off", "-overlay", overlay, "-o", file, "./"+pkg); err != nil {
					return nil, nil, fmt.Errorf("tests of %s do not compile: %w\n%s", pkg, err, text)
				}
				binaries[pkg] = file
			}
			return binaries, places, nil
		}
		root, err := os.Getwd()
		if err != nil {
			return nil, nil, err
		}
		kept := without([]string{root, filepath.Join(work, "overlay")}, places, text)
		if len(kept) == len(places) {
			return nil, nil, fmt.Errorf("mutations do not compile: %s", text)
		}
		fmt.Printf("%d mutations do not compile\n", len(places)-len(kept))
		places = kept
	}
}

var compileError = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// without returns the places but those on lines with compile errors, whose paths lie in one of the
// roots, since the compiler names a file of the overlay or the one that it replaces. Relative paths
// start in the first root.
func without(roots []string, places []place, text []byte) []place {
	bad := map[string]bool{}
	for _, m := range compileError.FindAllSubmatch(text, -1) {
		file := string(m[1])
		if !filepath.IsAbs(file) {
			file = filepath.Join(roots[0], file)
		}
		for _, root := range roots {
			if rel, ok := strings.CutPrefix(file, root+string(filepath.Separator)); ok {
				file = rel
				break
			}
		}
		bad[file+":"+string(m[2])] = true
	}
	return slices.DeleteFunc(slices.Clone(places), func(p place) bool {
		return bad[filepath.Join(p.pkg, p.file)+":"+strconv.Itoa(p.line)]
	})
}

func writeOverlay(work string, places []place) (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(work, "overlay")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	mutant := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(mutant, mutantSource, 0o644); err != nil {
		return "", err
	}
	replace := map[string]string{filepath.Join(root, "internal/mutant/mutant.go"): mutant}
	byFile := map[string][]int{}
	for i, p := range places {
		name := filepath.Join(p.pkg, p.file)
		byFile[name] = append(byFile[name], i)
	}
	for name, numbers := range byFile {
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		var in []place
		for _, i := range numbers {
			in = append(in, places[i])
		}
		text := rewrite(src, in, numbers)
		at := regexp.MustCompile(`(?m)^package \w+`).FindIndex(text)
		text = slices.Insert(text, at[1], []byte("; import mutant \""+module+"/internal/mutant\"")...)
		file := filepath.Join(dir, filepath.Dir(name), filepath.Base(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(root, name)] = file
	}
	text, err := json.MarshalIndent(map[string]map[string]string{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, text, 0o644)
}

func goCommand(args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.Bytes(), err
}
