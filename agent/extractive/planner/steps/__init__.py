"""From marks to steps: what is looked up first, what is asked of each thing found."""
