def tiled(
    input: Tensor,
    size: int | Sequence[int],
    *,
    times: int,
    keepdim: bool = ...,
    out: Tensor | None = ...,
) -> Tensor: ...
class Tensor:
    def tiled(
        self,
        *size: int | Sequence[int],
        times: int,
        keepdim: bool = ...,
        out: Tensor | None = ...,
    ) -> Tensor: ...
    ...
