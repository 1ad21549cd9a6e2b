"""Linear layers in the memory order that a processor multiplies fastest, with the same results."""

from __future__ import annotations

from typing import Any


def pack(model: Any) -> None:
    """Give a model's linear layers weights that oneDNN has laid out beforehand.

    torch's own way to multiply is tuned for one maker's processors; on others it takes up to twice as long
    for the few rows that texts have.

    Parameters
    ----------
    model
        In evaluation mode, on the CPU, in fp32; it is changed. Layers that share their weights with others
        stay as they are, and all do where this build of torch has no oneDNN.
    """
    import torch

    operations = torch.ops.mkldnn
    if not (torch.backends.mkldnn.is_available() and hasattr(operations, "_linear_pointwise")):
        return
    shared = {id(module.weight) for module in model.modules() if isinstance(module, torch.nn.Embedding)}
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if type(child) is torch.nn.Linear and id(child.weight) not in shared:
                setattr(owner, name, _packed(child))


def _packed(layer: Any) -> Any:
    import torch

    class Packed(torch.nn.Module):  # type: ignore[misc]
        """A linear layer that only computes."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach())
            self.bias = None if layer.bias is None else layer.bias.detach()

        def forward(self, rows: Any) -> Any:
            return torch.ops.mkldnn._linear_pointwise(rows, self.weight, self.bias, "none", [], "")

    return Packed()
