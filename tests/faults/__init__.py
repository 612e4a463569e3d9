"""Every writer of the package under every fault, at each system call of its writes."""
