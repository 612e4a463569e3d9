"""What can be written for an option: values by name, and forms with numbers of your own."""

import pytest

from irmetrics_edu import ndcg
from irmetrics_edu.commands.metrics import facts
from irmetrics_edu.conventions import Convention
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, import_all


def test_each_way_that_is_shown_is_read():
    """In the facts of a measure, in the error, and of each maker one form at least."""
    import_all()
    for metric in METRICS.values():
        options = {**metric.defaults, **metric.inputs.options}
        for name, default in options.items():
            if not isinstance(default, Convention):
                continue
            kind = type(default)
            shown = facts(metric)["conventions"][name]
            assert set(shown) == set(kind.ways())
            for way in shown:
                assert kind.named(way).name in (way, kind.named(way).name)
            formed = {form.partition("(")[0] for form in kind.forms}
            assert formed == set(kind.makers), name
            with pytest.raises(InputError) as caught:
                kind.named("never heard of")
            for way in kind.ways():
                assert way in str(caught.value)


def test_a_mapping_of_grades_is_a_table():
    """Grades 2, 1, 0 gain 9, 3, 0: the ideal order; turned round 3 / log2(3) + 9 / 2 is left."""
    assert ndcg([2, 1, 0], gain={1: 3, 2: 9}) == 1.0
    found = ndcg([0, 1, 2], gain={1: 3, 2: 9})
    assert found == pytest.approx((3 / 1.584962500721156 + 9 / 2) / (9 + 3 / 1.584962500721156))
    assert found == ndcg([0, 1, 2], gain="table(1:3,2:9)")
