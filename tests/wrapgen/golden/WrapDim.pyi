def flipped(
    input: Tensor,
    first: int,
    place: int,
    dim: int | Sequence[int] | None = ...,
    *,
    out: Tensor | None = ...,
) -> Tensor: ...
class Tensor:
    def flipped(
        self,
        first: int,
        place: int,
        dim: int | Sequence[int] | None = ...,
        *,
        out: Tensor | None = ...,
    ) -> Tensor: ...
    ...
