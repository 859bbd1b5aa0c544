"""Serving: one application over the agent, its snapshots and retrievers; HTTP, MCP and the page."""
