"""Training targets for coded batches: combinations of one-hot rows, and a loss that can read them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

__all__ = ["coded_labels", "decided_classes", "one_hot", "sigmoid_cross_entropy"]


class _Encoder(Protocol):
    data_blocks: int

    def encode(self, X: Any) -> np.ndarray[Any, Any]: ...


def one_hot(labels: Any, classes: int) -> np.ndarray[Any, Any]:
    """Return labels as rows of zeros with a single one.

    Parameters
    ----------
    labels : array_like of int, shape (...)
        In 0..classes-1.
    classes : int

    Returns
    -------
    numpy.ndarray of int64, shape (..., classes)

    Raises
    ------
    ValueError
        If a label is out of range.
    TypeError
        If the labels are not integers.

    Examples
    --------
    >>> one_hot([1, 0], classes=2).tolist()
    [[0, 1], [1, 0]]
    """
    indices = np.asarray(labels)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"labels must be integers, got an array of {indices.dtype}; round or look them up first")
    if indices.size and (indices.min() < 0 or indices.max() >= classes):
        raise ValueError(f"labels must lie in 0..{classes - 1}, got {indices.min()}..{indices.max()}")
    rows: np.ndarray[Any, Any] = np.eye(classes, dtype=np.int64)[indices]
    return rows


def coded_labels(code: _Encoder, Y: Any) -> np.ndarray[Any, Any]:
    r"""Return the targets of the workers, :math:`\tilde Y_i=\sum_j q_j(z_i)Y_j`.

    The rows of :math:`Y_j` and of :math:`\tilde Y_i` sum to 1, because the encoding coefficients do;
    but entries of the coded rows may be negative or exceed 1, so that they are no probabilities.

    Parameters
    ----------
    code : BerrutCode, or any code whose encoding rows sum to 1
    Y : array_like, shape (data_blocks, ..., classes)
        One-hot rows, or any rows that sum to 1. Labels themselves go through `one_hot` first.

    Returns
    -------
    numpy.ndarray, shape (workers, ..., classes)
        Over the arithmetic of the code.

    Raises
    ------
    ValueError
        If an exact row does not sum to 1, or a row of floats misses 1 by more than 1e-6.

    Notes
    -----
    Jahani-Nezhad and Maddah-Ali 2023 (Berrut approximated coded computing, arXiv 2009.08327) combine
    the labels with the coefficients of the data, so that batch and target stay paired.

    Examples
    --------
    >>> from codedtheory.coding import BerrutCode
    >>> code = BerrutCode(2, 3)
    >>> targets = coded_labels(code, one_hot([[0], [1]], classes=2))
    >>> targets.shape, bool((targets < 0).any())
    ((3, 1, 2), True)
    """
    rows = np.asarray(Y)
    if rows.ndim < 2 or rows.shape[0] != code.data_blocks:
        raise ValueError(
            f"Y must have shape ({code.data_blocks}, ..., classes), got {rows.shape}; turn labels into rows by one_hot"
        )
    sums = rows.sum(axis=-1)
    is_off = np.abs(sums - 1) > 1e-6 if sums.dtype.kind == "f" else sums != 1
    if np.any(is_off):
        raise ValueError(f"rows of Y must sum to 1, got {sums[is_off].ravel()[0]}; normalise them")
    return code.encode(rows)


def sigmoid_cross_entropy(logits: Any, targets: Any) -> tuple[float, np.ndarray[Any, Any]]:
    r"""Return the sigmoid cross entropy of a batch and its gradient in the logits.

    For logits v and targets t of one sample the loss is
    :math:`\sum_c[\log(1+e^{v_c})-t_cv_c]` with gradient :math:`\sigma(v)-t`, affine in the target and
    therefore defined for targets outside [0, 1]; there it may be negative and unbounded below. (The
    softmax cross entropy is no proper loss for such targets.) The batch loss is the mean.

    Parameters
    ----------
    logits : array_like of float, shape (..., classes)
    targets : array_like of float, same shape
        Negative entries are allowed.

    Returns
    -------
    loss : float
        Sum over classes, mean over the samples.
    gradient : numpy.ndarray of float64, same shape
        Of that mean.

    Raises
    ------
    ValueError
        If the shapes differ or there is no sample.

    Examples
    --------
    >>> loss, gradient = sigmoid_cross_entropy([[0.0, 0.0]], [[1.5, -0.5]])
    >>> round(loss, 6), gradient.tolist()
    (1.386294, [[-1.0, 1.0]])
    """
    v = np.asarray(logits, dtype=float)
    t = np.asarray(targets, dtype=float)
    if v.shape != t.shape or v.ndim == 0 or v.size == 0:
        raise ValueError(f"logits and targets must have one non-empty shape (..., classes), got {v.shape}, {t.shape}")
    samples = v.size // v.shape[-1]
    # log(1 + e^v) and the sigmoid through e^-|v|, which cannot overflow
    decay = np.exp(-np.abs(v))
    softplus = np.maximum(v, 0.0) + np.log1p(decay)
    sigmoid = np.where(v >= 0, 1.0, decay) / (1.0 + decay)
    return float((softplus - t * v).sum() / samples), (sigmoid - t) / samples


def decided_classes(outputs: Any) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return the class of each decoded output: the one with the largest score, the first of equals.

    Scores of decoded outputs are approximations and need not be probabilities, but their order is
    what the model without coding would be asked for too.

    Parameters
    ----------
    outputs : array_like of float, shape (..., classes)

    Returns
    -------
    numpy.ndarray of int, shape (...)

    Raises
    ------
    ValueError
        If a score is NaN, which has no order.

    Examples
    --------
    >>> decided_classes([[0.1, 1.3], [-0.2, -0.4]]).tolist()
    [1, 0]
    """
    scores = np.asarray(outputs, dtype=float)
    if np.isnan(scores).any():
        raise ValueError("outputs must not contain NaN; a worker sent one or the decoder was fed a wrong shape")
    return np.asarray(np.argmax(scores, axis=-1))
