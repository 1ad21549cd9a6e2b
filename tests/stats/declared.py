"""What the list of coefficients declares, for tests that hold over all of them."""

from __future__ import annotations

from scoring.stats.agreement.coefficients import FAMILIES, Coefficient, Family

# Each coefficient of ratings on a scale with the computation that gives it.
COMPUTED: tuple[tuple[Family, Coefficient], ...] = tuple(
    (family, one) for family in FAMILIES for one in family.coefficients
)
OF_CATEGORIES = frozenset(one.key for _, one in COMPUTED if one.needs.categories)
OF_PERSONS = frozenset(one.key for _, one in COMPUTED if one.needs.identified)
OF_COMPLETE_DESIGNS = frozenset(one.key for _, one in COMPUTED if one.needs.complete)
OF_CONSTANT_RATINGS = frozenset(one.key for _, one in COMPUTED if one.of_constant)
