"""How far variances of few items, raters or groups are known: their bias, and degrees of freedom."""

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats.agreement.ordinal.crossed_effects import Factors
from scoring.stats.base.resampling import FloatArray, IntArray


@dataclass(frozen=True)
class FewLevels:
    """What the levels of each random factor contribute to the errors of systems, in squared logits."""

    # By factor: covariance of the means of systems that its levels cause, shape (systems, systems)
    shares: tuple[FloatArray, ...]
    # By factor: levels, less one for each part of the systems that share none with the others
    freedom: tuple[int, ...]
    levels: tuple[int, ...]  # By factor

    @classmethod
    def of(cls, factors: Factors, scales: FloatArray, system: IntArray) -> "FewLevels":
        """The levels of a fitted model.

        Parameters
        ----------
        factors : Factors
            Levels of each rating.
        scales : array of float, shape (factors,)
            Standard deviation of each factor's effects.
        system : array of int, shape (ratings,)
            Code of the system of each rating.
        """
        shares, freedom = [], []
        for codes, size, scale in zip(factors.levels, factors.sizes, scales, strict=True):
            shape = (int(system.max()) + 1, size)
            counts = scipy.sparse.coo_array((np.ones(len(codes)), (system, codes)), shape=shape).tocsr()
            weights = scipy.sparse.diags_array(1 / np.asarray(counts.sum(axis=1)).ravel()) @ counts
            shares.append(scale**2 * (weights @ weights.T).toarray())
            parts, _ = scipy.sparse.csgraph.connected_components(counts @ counts.T, directed=False)
            freedom.append(max(1, size - int(parts)))
        return cls(tuple(shares), tuple(freedom), factors.sizes)

    def corrected(self, covariance: FloatArray, slopes: FloatArray) -> FloatArray:
        """The covariance of means with variances of levels that are not too small by the degrees of freedom.

        Parameters
        ----------
        covariance : array of float, shape (systems, systems)
            Of the estimated means, as maximum likelihood has it.
        slopes : array of float, shape (systems,)
            Derivatives of the means by the linear predictor.
        """
        factors = zip(self.shares, self.levels, self.freedom, strict=True)
        more = sum(share * (levels / freedom - 1) for share, levels, freedom in factors)
        return np.asarray(covariance + more * np.outer(slopes, slopes), dtype=np.float64)

    def degrees_of_freedom(self, contrast: FloatArray, corrected: FloatArray, slopes: FloatArray) -> float:
        """Degrees of freedom of a linear combination of means, after Satterthwaite; infinite without error.

        Parameters
        ----------
        contrast : array of float, shape (systems,)
            Weights of the means.
        corrected : array of float, shape (systems, systems)
            From `corrected`.
        slopes : array of float, shape (systems,)
            Derivatives of the means by the linear predictor.

        References
        ----------
        Satterthwaite (1946), An approximate distribution of estimates of variance components, equation 17.
        """
        by_logit = contrast * slopes
        total = float(contrast @ corrected @ contrast)
        factors = zip(self.shares, self.levels, self.freedom, strict=True)
        uncertain = sum(
            float(by_logit @ share @ by_logit * levels / freedom) ** 2 / freedom
            for share, levels, freedom in factors
        )
        return total**2 / uncertain if uncertain > 0 else np.inf
