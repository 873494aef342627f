// Package docs holds the test that runs the code of the documents.
package docs
