"""TeX to readable source: the commands that only lay out go, the common signs become letters."""

from __future__ import annotations

import re

_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "times": "×", "cdot": "·", "div": "÷", "pm": "±",
    "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "equiv": "≡", "sim": "~", "propto": "∝", "infty": "∞", "partial": "∂",
    "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "oint": "∮", "in": "∈", "notin": "∉",
    "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "emptyset": "∅", "forall": "∀",
    "exists": "∃", "neg": "¬", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "to": "→",
    "rightarrow": "→", "Rightarrow": "⇒", "leftarrow": "←", "leftrightarrow": "↔",
    "Leftrightarrow": "⇔", "implies": "⇒", "iff": "⇔", "mapsto": "↦", "ldots": "…",
    "cdots": "…", "dots": "…", "hbar": "ħ", "ell": "ℓ", "circ": "∘", "degree": "°", "prime": "′",
    "quad": " ", "qquad": " ", "langle": "⟨", "rangle": "⟩", "otimes": "⊗", "oplus": "⊕",
}  # fmt: skip
_LAYOUT = re.compile(
    r"\\(?:displaystyle|textstyle|scriptstyle|left|right|big+|Big+|limits|nolimits|mathrm|mathbf|mathit"
    r"|mathsf|mathcal|mathbb|mathfrak|boldsymbol|text(?:rm|bf|it)?|operatorname|mbox|rm|bf|it|hbox|ce"
    r"|begin\{[a-z*]*\}|end\{[a-z*]*\}|[,;:! ])(?![a-zA-Z])"
)
_FRACTION = re.compile(r"\\[td]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_WRAPPED = re.compile(r"\{\s((?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+)\}")
"""All of a formula in braces behind `\\displaystyle`, as MediaWiki writes it beside its pictures."""
_SIMPLE_BRACES = re.compile(r"(?<![\^_a-zA-Z])\{([^{}\\]*)\}|([\^_])\{([^{}\\ ])\}")


def read_formula(source: str) -> str:
    r"""Return a formula on one line: `\frac{a}{b}` as `(a)/(b)`, `\alpha` as α, the rest as it is."""
    text = _LAYOUT.sub(" ", source.replace("&nbsp;", " ").replace("\\\\", "; ").replace("&", " "))
    text = _unwrap(text.strip())
    text = _FRACTION.sub(r"(\1)/(\2)", text)
    text = _COMMAND.sub(lambda command: _SIGNS.get(command[1], command[1]), text)
    text = _SIMPLE_BRACES.sub(lambda m: m[1] if m[1] is not None else f"{m[2]}{m[3]}", text)
    # Two braces in a row are grouping in TeX and would read as a template.
    while "{{" in text or "}}" in text:
        text = text.replace("{{", "{ {").replace("}}", "} }")
    return " ".join(text.split())


def _unwrap(text: str) -> str:
    wrapped = _WRAPPED.fullmatch(text)
    return wrapped[1] if wrapped is not None else text
