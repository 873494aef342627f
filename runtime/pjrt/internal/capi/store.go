package capi

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"
)

// A client of several processes needs a store of keys and values that the processes share. Each process
// writes to it what the others need to reach it. The plugin calls three functions, on any thread.

// A Store holds the values that the processes of a client share. Many goroutines use it at once.
type Store interface {
	// Put stores a value under a key.
	Put(key string, value []byte) error
	// Get returns the value of a key. If there is none yet, Get waits for at most the time wait, and
	// then returns [ErrNoValue].
	Get(key string, wait time.Duration) ([]byte, error)
}

// ErrNoValue is the error of a store that has no value of a key.
var ErrNoValue = errors.New("there is no value of the key")

const notFound = 5

// getArgs is the argument of the function that waits for a value. The function that does not wait has tryArgs.
type getArgs struct {
	_       base
	key     *byte
	keySize uintptr
	millis  int32
	fail    *uintptr
	store   uintptr
	value   unsafe.Pointer
	size    uintptr
	deleter uintptr
}

type tryArgs struct {
	_       base
	key     *byte
	keySize uintptr
	fail    *uintptr
	store   uintptr
	value   unsafe.Pointer
	size    uintptr
	deleter uintptr
}

type putArgs struct {
	_         base
	key       *byte
	keySize   uintptr
	value     *byte
	valueSize uintptr
	fail      *uintptr
	store     uintptr
}

// stores has the stores of clients by the number that plugins pass to callbacks, the number of each
// client's store, and by address the values that plugins have not freed yet.
var stores = struct {
	sync.Mutex
	last    uintptr
	known   map[uintptr]Store
	clients map[Handle]uintptr
	values  map[uintptr][]byte
}{known: map[uintptr]Store{}, clients: map[Handle]uintptr{}, values: map[uintptr][]byte{}}

func storeOf(number uintptr) (Store, error) {
	stores.Lock()
	defer stores.Unlock()
	s, ok := stores.known[number]
	if !ok {
		return nil, fmt.Errorf("BUG: there is no store %d", number)
	}
	return s, nil
}

// keep returns the address of a copy of a value, which lives until the plugin frees it.
func keep(value []byte) unsafe.Pointer {
	value = append(value[:len(value):len(value)], 0) // never empty: each copy has an address of its own
	p := unsafe.Pointer(unsafe.SliceData(value))
	stores.Lock()
	defer stores.Unlock()
	stores.values[uintptr(p)] = value
	return p
}

// callbackError creates an error of the plugin by the function whose address is *fail. It returns 0 if err is nil or
// there is no such function.
func callbackError(fail *uintptr, err error) uintptr {
	if err == nil {
		return 0
	}
	code := int32(Internal)
	if errors.Is(err, ErrNoValue) {
		code = notFound
	}
	if fail == nil || *fail == 0 {
		return 0
	}
	text := []byte(err.Error())
	return fails(*fail, uintptr(code), uintptr(pointer(text)), uintptr(len(text)))
}

//go:uintptrescapes
func fails(f, code, text, size uintptr) uintptr { return invoke3(f, code, text, size) }

// guarded calls f and returns its error, or what it panics with.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the store panicked: %v", r)
		}
	}()
	return f()
}

func get(number uintptr, key string, wait time.Duration) (p unsafe.Pointer, size uintptr, err error) {
	err = guarded(func() error {
		s, err := storeOf(number)
		if err != nil {
			return err
		}
		value, err := s.Get(key, wait)
		if err == nil {
			p, size = keep(value), uintptr(len(value))
		}
		return err
	})
	return p, size, err
}

// callbacks are the addresses of the functions that plugins call: get, put, try to get.
var callbacks = sync.OnceValue(func() (f [3]uintptr) {
	deleter := Callback(func(value uintptr) uintptr {
		stores.Lock()
		defer stores.Unlock()
		delete(stores.values, value)
		return 0
	})
	f[0] = Callback(func(arg uintptr) uintptr {
		a := *(**getArgs)(unsafe.Pointer(&arg))
		var err error
		a.value, a.size, err = get(a.store, text(a.key, a.keySize), time.Duration(a.millis)*time.Millisecond)
		a.deleter = deleter
		return callbackError(a.fail, err)
	})
	f[1] = Callback(func(arg uintptr) uintptr {
		a := *(**putArgs)(unsafe.Pointer(&arg))
		return callbackError(a.fail, guarded(func() error {
			s, err := storeOf(a.store)
			if err != nil {
				return err
			}
			return s.Put(text(a.key, a.keySize), bytesAt(a.value, a.valueSize))
		}))
	})
	f[2] = Callback(func(arg uintptr) uintptr {
		a := *(**tryArgs)(unsafe.Pointer(&arg))
		var err error
		a.value, a.size, err = get(a.store, text(a.key, a.keySize), 0)
		a.deleter = deleter
		return callbackError(a.fail, err)
	})
	return f
})

// share adds a store to the argument that creates a client, and returns its number.
func (args *clientArgs) share(s Store) uintptr {
	stores.Lock()
	stores.last++
	n := stores.last
	stores.known[n] = s
	stores.Unlock()
	f := callbacks()
	args.get, args.put, args.tryGet = f[0], f[1], f[2]
	args.getArg, args.putArg, args.tryGetArg = n, n, n
	return n
}

// bound records the client of a store. If client is 0, the store is forgotten.
func bound(number uintptr, client Handle) {
	stores.Lock()
	defer stores.Unlock()
	if client == 0 {
		delete(stores.known, number)
	} else {
		stores.clients[client] = number
	}
}

// unbound forgets which store a client has, and returns the store's number, 0 if the client has none.
func unbound(client Handle) (number uintptr) {
	stores.Lock()
	defer stores.Unlock()
	number = stores.clients[client]
	delete(stores.clients, client)
	return number
}
