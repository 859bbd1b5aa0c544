"""What people say: their labels, how far judges agree with them, weights learnt from them."""
