"""The paths of the HTTP interface, one file a group; `docs/serving.md` describes them."""
