def scaled(
    input: Tensor,
    alpha: Number = ...,
    eps: float = ...,
    steps: int = ...,
    half: bool = ...,
    mode: str = ...,
    *,
    out: Tensor | None = ...,
) -> Tensor: ...
class Tensor:
    def scaled(
        self,
        alpha: Number = ...,
        eps: float = ...,
        steps: int = ...,
        half: bool = ...,
        mode: str = ...,
        *,
        out: Tensor | None = ...,
    ) -> Tensor: ...
    ...
