"""Two layers with prelu between them, gradients written out."""

from __future__ import annotations

import math
from typing import Any

import thwrap as th


class Network:
    """logits = prelu(x @ w1 + b1, slope) @ w2 + b2; `ops` is the module whose operations do the work."""

    def __init__(self, ops: Any, inputs: int, hidden: int, classes: int) -> None:
        self.ops = ops
        self.classes = classes
        self.w1 = ops.mul(ops.randn(inputs, hidden), math.sqrt(2 / inputs))
        self.b1 = ops.zeros(hidden)
        self.slope = ops.full((1,), 0.25)
        self.w2 = ops.mul(ops.randn(hidden, classes), math.sqrt(2 / hidden))
        self.b2 = ops.zeros(classes)
        self.parameters = [self.w1, self.b1, self.slope, self.w2, self.b2]
        self.velocities = [ops.zeros_like(parameter) for parameter in self.parameters]

    def forward(self, x: th.Tensor) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Hidden values before and after prelu, and the probabilities of each class."""
        ops = self.ops
        before = ops.addmm(self.b1, x, self.w1)
        after = ops.prelu(before, self.slope)
        logits = ops.addmm(self.b2, after, self.w2)
        return before, after, ops.softmax(logits, 1)

    def gradients(self, x: th.Tensor, y: th.Tensor) -> tuple[float, list[th.Tensor]]:
        """The mean cross entropy of a batch and its gradient for each parameter."""
        ops = self.ops
        before, after, probabilities = self.forward(x)
        chosen = ops.gather(probabilities, 1, ops.unsqueeze(y, 1))
        loss = -float(ops.mean(ops.log(chosen)))
        wanted = ops.eq(ops.unsqueeze(y, 1), ops.arange(self.classes))
        d_logits = ops.div(ops.where(wanted, ops.sub(probabilities, 1), probabilities), len(y))
        d_after = ops.mm(d_logits, ops.t(self.w2))
        positive = ops.gt(before, 0)
        d_before = ops.where(positive, d_after, ops.mul(d_after, self.slope))
        d_slope = ops.sum(ops.where(positive, 0.0, ops.mul(d_after, before)))
        return loss, [
            ops.mm(ops.t(x), d_before),
            ops.sum(d_before, 0),
            ops.reshape(d_slope, (1,)),
            ops.mm(ops.t(after), d_logits),
            ops.sum(d_logits, 0),
        ]

    def train(
        self, x: th.Tensor, y: th.Tensor, epochs: int, batch: int, rate: float, momentum: float
    ) -> None:
        """Gradient descent with momentum, one line of progress for each tenth of the way."""
        ops = self.ops
        for epoch in range(epochs):
            order = ops.randperm(len(y))
            total = 0.0
            for start in range(0, len(y), batch):
                chosen = ops.narrow(order, 0, start, min(batch, len(y) - start))
                loss, gradients = self.gradients(
                    ops.index_select(x, 0, chosen), ops.index_select(y, 0, chosen)
                )
                total += loss * len(chosen)
                for parameter, velocity, gradient in zip(
                    self.parameters, self.velocities, gradients, strict=True
                ):
                    ops.add_(ops.mul_(velocity, momentum), gradient)
                    ops.sub_(parameter, velocity, alpha=rate * (1 - epoch / epochs))
            if (epoch + 1) % max(1, epochs // 10) == 0:
                share = 100 * self.share_right(self.classify(x), y)
                print(
                    f"   epoch {epoch + 1:3}: loss {total / len(y):.4f}, {share:.1f} % of the training digits"
                )

    def classify(self, x: th.Tensor) -> th.Tensor:
        """The most probable class of each row."""
        return self.ops.argmax(self.forward(x)[2], 1)

    def share_right(self, guesses: th.Tensor, y: th.Tensor) -> float:
        """Which share of the guesses is right."""
        ops = self.ops
        return float(ops.div(ops.sum(ops.eq(guesses, y)), len(y)))
