"""The benchmark of impacts at a tiny size."""

from softdock.bench import impacts


def test_rows_and_limits_of_impacts():
    said: list[str] = []
    result = impacts.run(said.append, impacts=200, steps=100, rounds=1)
    names = [row.case.partition("/")[2] for row in result.rows]
    resting = ["resting-box", "stack-of-5"]
    assert names == ["between-walls", "no-contact", "far-contact", *resting, "iss-docking", "iss-docking-compliant"]
    assert all(row.total_ms > 0 for row in result.rows)
    assert [limit.limit for limit in result.limits] == [5.0, 1.3, 5.0, 100.0, 20.0, None]
    # every step of the ball has its impact
    assert round(1e3 * result.rows[0].total_ms / result.rows[0].us_per_step) == 200
