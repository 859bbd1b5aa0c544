"""The composer: what was found, computed with and put together; or why nothing should be said."""
