def weighted(
    input: Tensor,
    weight: Tensor | None = ...,
    *,
    generator: Generator | None = ...,
    out: Tensor | None = ...,
) -> Tensor: ...
class Tensor:
    def weighted(
        self,
        weight: Tensor | None = ...,
        *,
        generator: Generator | None = ...,
        out: Tensor | None = ...,
    ) -> Tensor: ...
    ...
