// Package hostile calls every exported function and method of the packages that users import with
// arguments that no correct program passes, and requires a result or an error of Weft.
package hostile
