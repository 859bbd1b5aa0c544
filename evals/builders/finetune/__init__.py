"""Fine-tuning on compound questions: data and configuration for LLaMA-Factory, or LoRA right here."""
