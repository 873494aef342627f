package mesh

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// Arrays of every kind come back from a checkpoint, on another mesh and under other specs too.
func TestSaveLoad(t *testing.T) {
	type state struct {
		W     weft.Array
		Parts map[string]weft.Array
		Key   random.Key
		Whole weft.Array
		Empty weft.Array
	}
	r := rand.New(rand.NewPCG(1, 2))
	x := state{W: normal(r, 4, 6, 2), Parts: map[string]weft.Array{}, Key: random.New(3), Whole: normal(r, 3), Empty: weft.Zeros(0, 4)}
	for _, dt := range []core.DType{core.Bool, core.Int8, core.Int64, core.BFloat16, core.Float16, core.Float64, core.Complex64, core.Float8E4M3FN} {
		x.Parts[dt.String()] = weft.Arange(24.).Reshape(4, 6).AsType(dt)
	}
	type placement struct {
		m     Mesh
		specs weft.Axes
	}
	placements := []placement{
		{New(Axis("x", 2), Axis("y", 2)), weft.Axes{"W": P("x", nil, "y"), "Parts": P([]string{"y", "x"}), "Key": P(), "Whole": P(), "Empty": P(nil, "x")}},
		{New(Axis("x", 3), Axis("z", 2)), weft.Axes{"W": P(nil, []string{"z", "x"}), "Parts": P("z", "x"), "Key": P(), "Whole": P("x"), "Empty": P("x")}},
		{New(), weft.Axes{"W": P(), "Parts": P(), "Key": P(), "Whole": P(), "Empty": P()}},
	}
	dir := filepath.Join(t.TempDir(), "a", "checkpoint")
	for _, from := range placements {
		if err := Save(dir, Put(from.m, from.specs, x)); err != nil {
			t.Fatal(err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 2 {
			t.Errorf("the directory has %v, want the index and one file", files)
		}
		for _, to := range placements {
			like := x
			like.W = weft.ZerosLike(x.W)
			y, err := Load(dir, to.m, to.specs, like)
			if err != nil {
				t.Fatal(err)
			}
			got := Gather(y)
			same(t, "W", got.W, x.W)
			same(t, "Whole", got.Whole, x.Whole)
			same(t, "Empty", got.Empty, x.Empty)
			same(t, "Key", random.Normal(got.Key, 2), random.Normal(x.Key, 2))
			for name, p := range x.Parts {
				same(t, name, got.Parts[name], p)
			}
			if cut := len(to.m.names()) > 0; isPlaced(y.W) != cut {
				t.Errorf("loaded on %v: cut %t", to.m, isPlaced(y.W))
			}
		}
	}
}

// fullDisk is a file on a disk that is full after some bytes.
type fullDisk struct {
	file
	room int
}

func (f *fullDisk) Write(b []byte) (int, error) {
	if len(b) > f.room {
		n, _ := f.file.Write(b[:f.room])
		f.room = 0
		return n, syscall.ENOSPC
	}
	f.room -= len(b)
	return f.file.Write(b)
}

// A full disk is an error, and the former checkpoint is still there, whichever file does not fit.
func TestSaveOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	m := New(Axis("d", 2))
	old := Put(m, P("d"), weft.Arange(8.))
	if err := Save(dir, old); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadDir(dir)
	defer func() { create = func(name string) (file, error) { return os.Create(name) } }()
	for _, fails := range []string{".safetensors", "-index.json"} {
		create = func(name string) (file, error) {
			f, err := os.Create(name)
			if err == nil && strings.HasSuffix(name, fails) {
				return &fullDisk{f, 20}, nil
			}
			return f, err
		}
		if err := Save(dir, Put(m, P("d"), weft.Ones(8))); !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "mesh.Save: ") {
			t.Errorf("%s: got %v", fails, err)
		}
		after, _ := os.ReadDir(dir)
		if len(after) != len(before) || after[0].Name() != before[0].Name() {
			t.Errorf("%s: the directory has %v, want %v", fails, after, before)
		}
		x, err := Load(dir, m, P("d"), old)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the former checkpoint", Gather(x), weft.Arange(8.))
	}
}

// A process that does not learn whether the others have agreed keeps its file, which the new index
// may name.
func TestSaveWithLostProcess(t *testing.T) {
	for _, last := range []int{1, 2} { // exchanges that work
		exchanges := 0
		leave := Join(echo{place{size: 2}, func(int) error {
			if exchanges++; exchanges > last {
				return errors.New("the cable is cut")
			}
			return nil
		}})
		dir := t.TempDir()
		if err := Save(dir, weft.Arange(8.)); err == nil || err.Error() != "mesh.Save: the cable is cut" {
			t.Errorf("after %d exchanges: got %v", last, err)
		}
		if err := leave(nil); err == nil || err.Error() != "the cable is cut" {
			t.Errorf("after %d exchanges: the process leaves with %v, want the failure", last, err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.safetensors")); len(files) != 1 {
			t.Errorf("after %d exchanges: got the files %v, want one", last, files)
		}
	}
}

// A new checkpoint removes the files of the former one, and no others.
func TestSaveLeavesOtherFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run[1]*")
	other := filepath.Join(dir, "model-00001-of-00002.safetensors")
	for range 2 {
		if err := Save(dir, weft.Arange(8.)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Save(dir, weft.Arange(8.)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 { // the index, the pieces, the other file
		t.Errorf("got the files %v, want 3", entries)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// Checkpoints that are missing, damaged or of other trees are errors.
func TestLoadRefusals(t *testing.T) {
	m := New(Axis("d", 2))
	x := weft.Arange(8.)
	if _, err := Load(t.TempDir(), m, P(), x); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no checkpoint: got %v", err)
	}
	for name, c := range map[string]struct {
		damage func(dir, file string)
		like   weft.Array
		want   string
	}{
		"other shape": {func(string, string) {}, weft.Arange(4.), "float32[8] (want float32[4])"},
		"other dtype": {func(string, string) {}, weft.Arange(8), "float32[8] (want int32[8])"},
		"index":       {func(dir, _ string) { os.WriteFile(filepath.Join(dir, indexName), []byte("{"), 0o666) }, x, "index.json is damaged"},
		"foreign":     {func(dir, _ string) { os.WriteFile(filepath.Join(dir, indexName), []byte(`{"weight_map":{}}`), 0o666) }, x, "index.json is not the index of a checkpoint"},
		"format":      {func(dir, _ string) { os.WriteFile(filepath.Join(dir, indexName), []byte(`{"format":7}`), 0o666) }, x, "format 7 (want 1)"},
		"lost file":   {func(_, file string) { os.Remove(file) }, x, "no such file"},
		"short file":  {func(_, file string) { os.Truncate(file, 100) }, x, "damaged"},
		"cut file": {func(_, file string) {
			info, _ := os.Stat(file)
			os.Truncate(file, info.Size()-4)
		}, x, "unexpected EOF"},
		"outside": {func(dir, _ string) {
			os.WriteFile(filepath.Join(dir, indexName), []byte(`{"format":1,"arrays":[],"files":["../x"]}`), 0o666)
		}, x, "outside"},
		"twice": {func(dir, file string) {
			os.WriteFile(filepath.Join(dir, indexName), fmt.Appendf(nil, `{"format":1,"arrays":[{"path":"","dtype":"float32","shape":[8]}],"files":[%q,%q]}`, filepath.Base(file), filepath.Base(file)), 0o666)
		}, x, "which another file has, too"},
		"no pieces": {func(dir, _ string) {
			os.WriteFile(filepath.Join(dir, indexName), []byte(`{"format":1,"arrays":[{"path":"","dtype":"float32","shape":[8]}],"files":[]}`), 0o666)
		}, x, "0 of 16 bytes"},
	} {
		dir := t.TempDir()
		if err := Save(dir, Put(m, P("d"), x)); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.safetensors"))
		c.damage(dir, files[0])
		if _, err := Load(dir, m, P("d"), c.like); err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want %q, which is not fs.ErrNotExist", name, err, c.want)
		}
	}
}

// Types of elements for which the format of files has no name come back.
func TestSaveNarrowTypes(t *testing.T) {
	m := New(Axis("d", 4))
	for _, dt := range []core.DType{core.Int2, core.Uint2, core.Int4, core.Uint4, core.Float4E2M1FN, core.Float8E3M4, core.Float8E4M3B11FNUZ} {
		x := weft.Arange(32.).Sub(10).Reshape(4, 8).AsType(dt)
		for _, from := range []Spec{P(), P("d"), P(nil, "d")} {
			dir := t.TempDir()
			if err := Save(dir, Put(m, from, x)); err != nil {
				t.Fatal(err)
			}
			for _, to := range []Spec{P(), P("d"), P(nil, "d")} {
				y, err := Load(dir, m, to, x)
				if err != nil {
					t.Fatal(err)
				}
				same(t, fmt.Sprintf("%v saved as %v, loaded as %v", dt, from, to), Gather(y), x)
			}
		}
	}
}

// Save refuses what would be lost, and errors name the function once.
func TestSaveRefusals(t *testing.T) {
	m, x := New(Axis("d", 2)), weft.Arange(8.)
	dir := t.TempDir()
	name := filepath.Join(dir, indexName)
	for _, text := range []string{`{"metadata":{},"weight_map":{}}`, `{"format":1,"items":["mine"]}`, `{"Format":7,"x":1}`, "", "[1]", "mine"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := Save(dir, Put(m, P("d"), x))
		if err == nil || !strings.Contains(err.Error(), name+" is not the index of a checkpoint, and would be lost; save to another directory, or remove it") {
			t.Errorf("an index that is %q: got %v", text, err)
		}
		if b, _ := os.ReadFile(name); string(b) != text {
			t.Errorf("the index %q is now %q", text, b)
		}
	}
	if _, err := Load(dir, m, P("d"), x); err == nil || !strings.Contains(err.Error(), "index.json is damaged") { // "mine"
		t.Errorf("loading it: got %v", err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	var ended error
	weft.With(weft.Context(ctx), func() { ended = Save(t.TempDir(), x) })
	if !errors.Is(ended, context.Canceled) {
		t.Errorf("a context that has ended: got %v", ended)
	}
	if err := Save(filepath.Join(name, "below"), x); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a directory below a file: got %v", err)
	}
	gone := weft.Arange(1 << 16)
	weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) }, weft.Donate(0))(gone)
	_, loaded := Load("", m, P("d"), x)
	var traced error
	weft.Jit(func(y weft.Array) weft.Array { traced = Save(t.TempDir(), y); return y })(x)
	for want, err := range map[string]error{
		"the directory has no name":            Save("", x),
		"was donated":                          Save(t.TempDir(), gone),
		"is traced":                            traced,
		"mesh.Load: the directory has no name": loaded,
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "mesh.") != 1 {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// What links point to is not overwritten.
func TestSaveBesideLinks(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	if err := os.WriteFile(kept, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "checkpoint")
	if err := os.Mkdir(to, 0o777); err != nil {
		t.Fatal(err)
	}
	links := []string{"index.json.new", "0123456789abcdef-0.safetensors", "0123456789abcdef-index.json"}
	for _, name := range links {
		if err := os.Symlink(kept, filepath.Join(to, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := Save(to, weft.Arange(8.)); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(kept); string(b) != "precious" {
		t.Errorf("the file is now %q", b)
	}
	if entries, _ := os.ReadDir(to); len(entries) != len(links)+2 {
		t.Errorf("got the files %v, want the links, an index and a file", entries)
	}
}

// What a save has left that was killed is removed later, and what another job writes meanwhile stays.
func TestSaveRemovesLeftFiles(t *testing.T) {
	dir := t.TempDir()
	left, other := filepath.Join(dir, "0123456789abcdef-3.safetensors"), filepath.Join(dir, "fedcba9876543210-0.safetensors")
	save := func() {
		if err := Save(dir, weft.Arange(8.)); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string, age time.Duration) {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	save()
	write(left, time.Hour)
	write(other, -time.Hour)
	save()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other); err != nil || len(entries) != 3 {
		t.Errorf("got the files %v, want %s and a checkpoint: %v", entries, other, err)
	}
}

// A checkpoint that another takes the place of while it is opened is loaded anew.
func TestLoadBesideSave(t *testing.T) {
	m, x, dir := New(Axis("d", 4)), weft.Arange(8.), t.TempDir()
	if err := Save(dir, Put(m, P("d"), x)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 30 {
			if err := Save(dir, Put(m, P("d"), x)); err != nil {
				t.Error(err)
			}
		}
	}()
	for n := 0; ; n++ {
		select {
		case <-done:
			t.Logf("%d loads", n)
			return
		default:
		}
		if y, err := Load(dir, m, P(), x); err != nil || !y.Equal(x) {
			t.Fatalf("got %v, %v", y, err)
		}
	}
}
