"""Replies of an agreed form: the schema to ask with, and what is done where one falls short."""
