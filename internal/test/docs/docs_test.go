package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

// pages returns the pages for users with their blocks, and the module's folder.
func pages(t *testing.T) (root string, blocks map[string][]block) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	blocks = map[string][]block{}
	for _, page := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "README.md")) {
		if blocks[page], err = blocksOf(page); err != nil {
			t.Fatal(err)
		}
	}
	return root, blocks
}

// ofKind returns the blocks of one kind in the order of pages.
func ofKind(all map[string][]block, kind string) (of []block) {
	for _, page := range slices.Sorted(maps.Keys(all)) {
		for _, b := range all[page] {
			if b.kind == kind {
				of = append(of, b)
			}
		}
	}
	return of
}

// scratch returns a folder within the module that is no package of ./... .
func scratch(t *testing.T, root string) string {
	t.Helper()
	dir, err := os.MkdirTemp(root, ".docs-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// goTool runs the go command in the module's folder with the tags of the test.
func goTool(t *testing.T, root, verb string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", append([]string{verb, "-tags", buildTags()}, args...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// buildTags returns the tags that the test was built with, so that a program has the same executors
// to select; but not that of long tests.
func buildTags() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			return strings.Join(slices.DeleteFunc(strings.Split(s.Value, ","), func(tag string) bool { return tag == "long" }), ",")
		}
	}
	return ""
}

// Every kind of block has a check.
func TestEveryBlockIsChecked(t *testing.T) {
	_, all := pages(t)
	for page, blocks := range all {
		for _, b := range blocks {
			switch b.kind {
			case "go run", "go", "sh": // below
			case "text": // what weft promote prints: cmd/weft/internal/promotecmd
				if b.page != "promotion.md" {
					t.Errorf("%s:%d: nothing checks a block of text", b.page, b.line)
				}
			case "json": // read below
				if !json.Valid([]byte(b.text)) {
					t.Errorf("%s:%d: no JSON", b.page, b.line)
				}
			case "python": // other people's programs, which are not here
				if strings.Contains(b.text, "weft") {
					t.Errorf("%s:%d: nothing checks Python", b.page, b.line)
				}
			default:
				t.Errorf("%s:%d: no check for a block %q", b.page, b.line, b.kind)
			}
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if fences := strings.Count("\n"+string(text), "\n```"); fences != 2*len(blocks) {
			t.Errorf("%s: %d fences, but %d blocks", filepath.Base(page), fences, len(blocks))
		}
	}
}

// Blocks of "go run" are compiled together and run. What stands behind "// prints: " is among what
// they print.
func TestCodeRuns(t *testing.T) {
	root, all := pages(t)
	blocks := ofKind(all, "go run")
	if len(blocks) < 40 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	var body strings.Builder
	for _, b := range blocks {
		fmt.Fprintf(&body, "\tfmt.Println(%q)\n\tfunc() {\n//line %s:%d\n%s\n\t}()\n", "== "+b.page, b.page, b.line+1, b.text)
	}
	dir := scratch(t, root)
	write(t, filepath.Join(dir, "main.go"), "package main\n\n"+imports(body.String())+"\nfunc main() {\n"+body.String()+"}\n")
	out, err := goTool(t, root, "run", "./"+filepath.Base(dir))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d blocks\n%s", len(blocks), out)
	for _, b := range blocks {
		for line := range strings.Lines(b.text) {
			if _, want, ok := strings.Cut(line, "// prints: "); ok && !strings.Contains(out, strings.TrimSpace(want)) {
				t.Errorf("%s:%d: nothing printed %s", b.page, b.line, want)
			}
		}
	}
}

// Other blocks of Go compile: bodies of functions of what is given, and files of the package that
// they name, whether it is the reader's or one of the module.
func TestCodeCompiles(t *testing.T) {
	root, all := pages(t)
	dir := scratch(t, root)
	replace := map[string]string{}
	own, changed := map[string]bool{}, map[string]bool{} // packages in dir, and packages of the module
	bodies := 0
	for i, b := range ofKind(all, "go") {
		name := fmt.Sprintf("%s_%d.go", strings.TrimSuffix(b.page, ".md"), b.line)
		at := fmt.Sprintf("//line %s:%d\n", b.page, b.line+1)
		if pkg, ok := strings.CutPrefix(b.text, "package "); ok {
			pkg, _, _ = strings.Cut(pkg, "\n")
			folder := filepath.Join(root, "core", pkg)
			if _, err := os.Stat(folder); err == nil { // joins the package that is there
				write(t, filepath.Join(dir, "overlay", name), at+b.text)
				replace[filepath.Join(folder, name)] = filepath.Join(dir, "overlay", name)
				changed["./core/"+pkg] = true
				continue
			}
			folder = filepath.Join(dir, fmt.Sprint("own", i))
			write(t, filepath.Join(folder, name), at+b.text)
			own["./"+filepath.Join(filepath.Base(dir), filepath.Base(folder))] = true
			continue
		}
		if file, ok := strings.CutPrefix(b.given, "in "); ok { // a line of the module
			source, err := os.ReadFile(filepath.Join(root, file))
			if err != nil || !strings.Contains(string(source), b.text) {
				t.Errorf("%s:%d: %s does not have these lines (%v)", b.page, b.line, file, err)
			}
			continue
		}
		if strings.HasPrefix(b.given, "after ") { // lines of a file of the module, behind one that is there
			file, after, ok := strings.Cut(strings.TrimPrefix(b.given, "after "), ": ")
			source, err := os.ReadFile(filepath.Join(root, file))
			if err != nil || !ok || strings.Count(string(source), after+"\n") != 1 {
				t.Errorf("%s:%d: %s has no single line %q (%v)", b.page, b.line, file, after, err)
				continue
			}
			write(t, filepath.Join(dir, "overlay", name), strings.Replace(string(source), after+"\n", after+"\n"+b.text, 1))
			replace[filepath.Join(root, file)] = filepath.Join(dir, "overlay", name)
			changed["./"+filepath.Dir(file)] = true
			continue
		}
		bodies++
		hoisted, body := "", ""
		for line := range strings.Lines(b.text) {
			if strings.HasPrefix(line, "import ") {
				hoisted += line
				line = "\n"
			}
			body += line
		}
		src := "package bodies\n\n" + hoisted + imports(b.given+"\n"+body) + "func _(" + b.given + ") {\n" + at + body + "\n"
		for _, declared := range declaredBy(src + "}\n") {
			src += "_ = " + declared + "\n"
		}
		write(t, filepath.Join(dir, name), src+"}\n")
	}
	if bodies > 0 {
		own["./"+filepath.Base(dir)] = true
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	compile := func(args []string, targets map[string]bool) {
		args = append(args, "-o", os.DevNull)
		args = slices.AppendSeq(args, maps.Keys(targets))
		if out, err := goTool(t, root, "build", args...); err != nil || len(targets) == 0 {
			t.Errorf("%d packages: %v\n%s", len(targets), err, out)
		}
	}
	compile(nil, own)
	compile([]string{"-overlay", filepath.Join(dir, "overlay.json")}, changed)
}

// declaredBy returns the variables that the last function of a file declares at its top level, which
// a page need not use.
func declaredBy(src string) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler reports it
	}
	for _, s := range file.Decls[len(file.Decls)-1].(*ast.FuncDecl).Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// Commands of weft in blocks of sh run, where there are a program f.jaxpr, and models model.mlir and model.onnx
// of an argument x.npy. Those within sentences, in examples and after $ name commands and options that
// there are.
func TestCommandsRun(t *testing.T) {
	root, all := pages(t)
	dir := scratch(t, root)
	exe := filepath.Join(dir, "weft")
	if out, err := goTool(t, root, "build", "-o", exe, "./cmd/weft"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, filepath.Join(dir, "f.jaxpr"), "{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = mul b a in (c,) }\n")
	write(t, filepath.Join(dir, "model.mlir"), `func.func @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>
  return %0 : tensor<3xf32>
}
`)
	var x, model bytes.Buffer
	if err := errors.Join(weft.SaveNpy(&x, weft.Of(0., 1, 2)), onnx.Save(&model, weft.Sin, weft.Zeros(3))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "x.npy"), x.String())
	write(t, filepath.Join(dir, "model.onnx"), model.String())
	weftCommand := func(args ...string) (string, error) {
		cmd := exec.Command(exe, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	ran := 0
	for _, b := range ofKind(all, "sh") {
		for line := range strings.Lines(b.text) {
			line, _, _ = strings.Cut(line, " #")
			args := strings.Fields(line)
			if len(args) == 0 || args[0] != "weft" || runtime.GOARCH != "amd64" && slices.Contains(args, "asm") {
				continue
			}
			ran++
			if out, err := weftCommand(args[1:]...); err != nil || out == "" {
				t.Errorf("%s:%d: %s: %v\n%s", b.page, b.line, line, err, out)
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands ran", ran)
	}
	helps := map[string]string{}
	help := func(name string) string {
		if _, ok := helps[name]; !ok {
			helps[name], _ = weftCommand(name, "--help")
		}
		return helps[name]
	}
	named := 0
	for page := range all {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range weftCalls.FindAllStringSubmatch(string(text), -1) {
			named++
			h := help(m[1])
			if !strings.Contains(h, "weft "+m[1]) {
				t.Errorf("%s: there is no command weft %s:\n%s", filepath.Base(page), m[1], h)
				continue
			}
			for _, f := range options.FindAllString(m[2], -1) {
				if !strings.Contains(h, f) {
					t.Errorf("%s: weft %s has no option %s", filepath.Base(page), m[1], f)
				}
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d commands are named", named)
	}
}

var (
	weftCalls = regexp.MustCompile("(?:`|\\| |^|\\$ )weft ([a-z]+)((?: --?[a-z]+| [^`|#\n]*)*)")
	options   = regexp.MustCompile(`--[a-z]+`)
)
