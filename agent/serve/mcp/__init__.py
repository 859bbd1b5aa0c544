"""MCP: the same service as tools, resources and a prompt, over standard input and output or HTTP."""
