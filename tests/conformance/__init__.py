"""Test vectors and the libraries that they are run against."""
