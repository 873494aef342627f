// Package docs contains the test that runs the code of the documents.
package docs
