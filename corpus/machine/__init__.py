"""What this machine and this process bring along: packages of extras, an event loop."""
