"""SmolLM2-135M-Instruct from its GGUF file, with low-rank updates, over ONNX Runtime."""
