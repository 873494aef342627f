package tree

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// encoder appends static values of a type to a key: equal values give equal bytes
// and different ones different bytes. Floats are compared by bits, slices, maps and structs by
// contents, channels and functions by identity, pointers by both.
type encoder struct {
	kind   reflect.Kind
	typ    reflect.Type
	fields []encField
	elem   *encoder
	key    *encoder // of a map
	copies bool     // contains slices or maps, which are copied when a value is rebuilt
}

type encField struct {
	label string // .Name
	off   uintptr
	enc   *encoder
}

var encoders sync.Map // reflect.Type → *encoder

func encoderOf(t reflect.Type) *encoder {
	if e, ok := encoders.Load(t); ok {
		return e.(*encoder)
	}
	under := map[reflect.Type]*encoder{}
	e := buildEncoder(t, under)
	// Only now are all encoders complete, those of recursive types too.
	for t, e := range under {
		encoders.LoadOrStore(t, e)
	}
	return e
}

func buildEncoder(t reflect.Type, under map[reflect.Type]*encoder) *encoder {
	if e, ok := encoders.Load(t); ok {
		return e.(*encoder)
	}
	if e := under[t]; e != nil {
		return e
	}
	e := &encoder{kind: t.Kind(), typ: t}
	under[t] = e
	switch e.kind {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" || f.Type.Size() == 0 {
				continue
			}
			fe := buildEncoder(f.Type, under)
			e.fields = append(e.fields, encField{"." + f.Name, f.Offset, fe})
			e.copies = e.copies || fe.copies
		}
	case reflect.Array:
		e.elem = buildEncoder(t.Elem(), under)
		e.copies = e.elem.copies
	case reflect.Slice:
		e.elem = buildEncoder(t.Elem(), under)
		e.copies = true
	case reflect.Map:
		e.key, e.elem = buildEncoder(t.Key(), under), buildEncoder(t.Elem(), under)
		e.copies = true
	}
	return e
}

const maxDepth = 2000

func (s *state) encode(e *encoder, p unsafe.Pointer) {
	s.deeper()
	s.encodeKind(e, p)
	s.depth--
}

// deeper fails for values that are nested too deeply, such as values that contain themselves.
func (s *state) deeper() {
	if s.depth++; s.depth > maxDepth {
		s.path = s.path[:min(len(s.path), 8)]
		core.Failf(core.ErrTree, "%s nests more than %d deep; does it contain itself? Pass a value without the cycle", s.where(), maxDepth)
	}
}

func (s *state) encodeKind(e *encoder, p unsafe.Pointer) {
	switch e.kind {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		s.key = append(s.key, *(*byte)(p))
	case reflect.Int16, reflect.Uint16:
		s.key = binary.NativeEndian.AppendUint16(s.key, *(*uint16)(p))
	case reflect.Int32, reflect.Uint32:
		s.key = binary.NativeEndian.AppendUint32(s.key, *(*uint32)(p))
	case reflect.Int64, reflect.Uint64:
		s.key = binary.NativeEndian.AppendUint64(s.key, *(*uint64)(p))
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		s.key = binary.NativeEndian.AppendUint64(s.key, uint64(*(*uintptr)(p)))
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		s.address(p)
	case reflect.Pointer:
		s.address(p)
		s.pointee(e, *(*unsafe.Pointer)(p))
	case reflect.Float32:
		s.float(float64(*(*float32)(p)))
	case reflect.Float64:
		s.float(*(*float64)(p))
	case reflect.Complex64:
		c := *(*complex64)(p)
		s.float(float64(real(c)))
		s.float(float64(imag(c)))
	case reflect.Complex128:
		c := *(*complex128)(p)
		s.float(real(c))
		s.float(imag(c))
	case reflect.String:
		s.string(*(*string)(p))
	case reflect.Struct:
		s.refuseLocked(e.typ)
		for i := range e.fields {
			f := &e.fields[i]
			s.path = append(s.path, step{label: f.label})
			s.encode(f.enc, unsafe.Add(p, f.off))
			s.path = s.path[:len(s.path)-1]
		}
	case reflect.Array:
		size := e.typ.Elem().Size()
		for i := range e.typ.Len() {
			s.path = append(s.path, step{i: i})
			s.encode(e.elem, unsafe.Add(p, uintptr(i)*size))
			s.path = s.path[:len(s.path)-1]
		}
	case reflect.Slice:
		v := reflect.NewAt(e.typ, p).Elem()
		if v.IsNil() {
			s.key = append(s.key, 0)
			return
		}
		n := v.Len()
		s.key = binary.AppendUvarint(s.key, uint64(n)+1)
		base, size := v.UnsafePointer(), e.typ.Elem().Size()
		for i := range n {
			s.path = append(s.path, step{i: i})
			s.encode(e.elem, unsafe.Add(base, uintptr(i)*size))
			s.path = s.path[:len(s.path)-1]
		}
	case reflect.Map:
		s.encodeMap(e, p)
	case reflect.Interface:
		v := reflect.NewAt(e.typ, p).Elem().Interface()
		if v == nil {
			s.key = append(s.key, 0)
			return
		}
		t := reflect.TypeOf(v)
		if newCompiler(s.leaf).certain(t, map[reflect.Type]bool{}) {
			core.Failf(core.ErrTree, "%s is unexported and contains %v with %vs in it; export the field, or keep them elsewhere",
				s.where(), core.WithArticle(t), s.leaf)
		}
		s.key = append(s.key, 1)
		s.typeWord(t)
		s.encode(encoderOf(t), contents(v))
	default:
		panic("BUG: static value of kind " + e.kind.String())
	}
}

// address appends the address at p. What it refers to is noted where a Def would not keep
// it alive.
func (s *state) address(p unsafe.Pointer) {
	if s.behind > 0 {
		s.held = append(s.held, *(*unsafe.Pointer)(p))
	}
	s.key = binary.NativeEndian.AppendUint64(s.key, uint64(*(*uintptr)(p)))
}

// visited is a pointer that was followed, with the type that it has.
type visited struct {
	to  unsafe.Pointer
	typ reflect.Type
}

// pointee appends the value that a pointer of e's type refers to, once. For a type of package sync,
// such as a lock, only the address counts.
func (s *state) pointee(e *encoder, to unsafe.Pointer) {
	v := visited{to, e.typ}
	if to == nil || s.followed[v] || e.typ.Elem().PkgPath() == "sync" {
		return
	}
	if s.followed == nil {
		s.followed = map[visited]bool{}
	}
	s.followed[v] = true
	s.behind++
	s.encode(encoderOf(e.typ.Elem()), to)
	s.behind--
}

// refuseLocked refuses a lock or an atomic value behind a static pointer: other goroutines may
// change it while it is read.
func (s *state) refuseLocked(t reflect.Type) {
	if pkg := t.PkgPath(); s.behind > 0 && (pkg == "sync" || pkg == "sync/atomic" || pkg == "internal/sync") {
		core.Failf(core.ErrStatic, "%s is a %v behind a static pointer, which other goroutines may change while it is compared; capture the pointer in the function, or pass a struct without it", s.where(), t)
	}
}

// encodeMap encodes entries in the order of their keys' encodings.
func (s *state) encodeMap(e *encoder, p unsafe.Pointer) {
	m := reflect.NewAt(e.typ, p).Elem()
	if m.IsNil() {
		s.key = append(s.key, 0)
		return
	}
	s.key = binary.AppendUvarint(s.key, uint64(m.Len())+1)
	outer := s.key
	var entries []string
	k, v := reflect.New(e.typ.Key()), reflect.New(e.typ.Elem())
	for it := m.MapRange(); it.Next(); {
		k.Elem().SetIterKey(it)
		v.Elem().SetIterValue(it)
		s.key = nil
		s.encode(e.key, k.UnsafePointer())
		s.encode(e.elem, v.UnsafePointer())
		entries = append(entries, string(s.key))
	}
	s.key = outer
	slices.Sort(entries)
	for _, b := range entries {
		s.key = append(s.key, b...)
	}
}

// float appends the bits of a number. Behind a pointer NaN is accepted: changes are detected by
// bits there.
func (s *state) float(f float64) {
	if f != f && s.behind == 0 {
		core.Failf(core.ErrStatic, "%s is NaN, which equals nothing: a static value must equal itself, else every call would compile anew; make an array of it, or another number",
			s.where())
	}
	s.key = binary.NativeEndian.AppendUint64(s.key, math.Float64bits(f))
}

func (s *state) string(v string) {
	s.key = binary.AppendUvarint(s.key, uint64(len(v)))
	s.key = append(s.key, v...)
}

func (s *state) typeWord(t reflect.Type) {
	v := any(t)
	s.key = binary.NativeEndian.AppendUint64(s.key, uint64(uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])))
}

// copyStatic replaces the slices and maps of the value at p by copies.
func copyStatic(e *encoder, p unsafe.Pointer) {
	if !e.copies {
		return
	}
	switch e.kind {
	case reflect.Struct:
		for _, f := range e.fields {
			copyStatic(f.enc, unsafe.Add(p, f.off))
		}
	case reflect.Array:
		for i := range e.typ.Len() {
			copyStatic(e.elem, unsafe.Add(p, uintptr(i)*e.typ.Elem().Size()))
		}
	case reflect.Slice:
		old := reflect.NewAt(e.typ, p).Elem()
		if old.IsNil() {
			return
		}
		n := old.Len()
		fresh := reflect.MakeSlice(e.typ, n, n)
		reflect.Copy(fresh, old)
		old.Set(fresh)
		for i := range n {
			copyStatic(e.elem, unsafe.Add(fresh.UnsafePointer(), uintptr(i)*e.typ.Elem().Size()))
		}
	case reflect.Map:
		old := reflect.NewAt(e.typ, p).Elem()
		if old.IsNil() {
			return
		}
		fresh := reflect.MakeMapWithSize(e.typ, old.Len())
		for it := old.MapRange(); it.Next(); {
			v := reflect.New(e.typ.Elem())
			v.Elem().SetIterValue(it)
			copyStatic(e.elem, v.UnsafePointer())
			fresh.SetMapIndex(it.Key(), v.Elem())
		}
		old.Set(fresh)
	}
}
