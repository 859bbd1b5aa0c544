"""The running server: one process or several at one address, its connections bounded."""
