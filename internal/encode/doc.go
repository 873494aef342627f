// Package encode writes the values behind arrays as JSON and as bytes, and reads them.
package encode
