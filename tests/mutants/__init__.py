"""How strong the tests are: small changes of the code, and which of them a test catches."""
