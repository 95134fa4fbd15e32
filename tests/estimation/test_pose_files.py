"""Recorded poses: read back exactly, refused with one clear line, and tracked."""

import numpy as np
import pytest

from softdock.estimation import PoseFileError, TargetEstimator, read_poses, track, write_poses
from softdock.estimation.tumbles import TUMBLES, observed, true_motion

ROW = "0,1,2,3,1,0,0,0"
HEAD = "t,x,y,z,qw,qx,qy,qz"


def test_what_is_written_is_read_back(tmp_path):
    seen = observed(true_motion(TUMBLES["rich"], np.arange(0, 3, 0.5)), np.random.default_rng(0))
    write_poses(tmp_path / "poses.csv", seen)
    for a, b in zip(seen, read_poses(tmp_path / "poses.csv"), strict=True):
        assert a.t == b.t and all(np.array_equal(x, y) for x, y in zip(a[1:], b[1:], strict=True))


def test_columns_in_any_order_comments_and_stated_noise(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("\ufeff# a camera\nqw,qx,qy,qz,t,x,y,z\n\n1,0,0,0, 4.5 ,1,2,nan\n", encoding="utf-8")
    (one,) = read_poses(path, position=0.1, angle=0.2)
    assert one.t == 4.5 and list(one.quaternion) == [1, 0, 0, 0] and list(one.position[:2]) == [1, 2]
    assert np.isnan(one.position[2]) and np.allclose(np.diag(one.covariance), [0.04] * 3 + [0.01] * 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no poses"),
        (HEAD, "no poses"),
        (f"{HEAD[:-3]}\n0,1,2,3,1,0,0", "line 1: no column 'qz'"),
        (f"time{HEAD[1:]}\n{ROW}", "line 1: unknown column 'time'"),
        (f"{HEAD},x\n{ROW},1", "'x' is named twice"),
        (f"{HEAD},c11\n{ROW},1", "line 1: no column 'c12'; expected t, x, y, z, qw, qx, qy, qz and all of c11"),
        (f"{HEAD}\n{ROW}\n0,1,2", "line 3: 3 values, where there are 8 columns"),
        (f"{HEAD}\n0,1,2,here,1,0,0,0", "line 2: z is 'here', which is not a number"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path, text, words):
    path = tmp_path / "p.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PoseFileError) as caught:
        read_poses(path)
    assert words in str(caught.value) and str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_a_missing_or_binary_file_is_refused(tmp_path):
    with pytest.raises(PoseFileError, match="cannot be read"):
        read_poses(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(PoseFileError, match="cannot be read"):
        read_poses(tmp_path / "b.csv")


def test_tracking_keeps_a_row_for_every_measurement():
    tumble = TUMBLES["rich"]
    truth = true_motion(tumble, np.arange(0, 30, 0.5))
    seen = observed(truth, np.random.default_rng(1))
    seen[0] = seen[0]._replace(position=[np.nan] * 3)
    seen[10] = seen[10]._replace(t=0.2)
    history = track(seen, TargetEstimator(tumble.n))
    assert history.reasons[0] == "not finite" and history.reasons[10] == "out of order"
    assert np.isnan(history.position[0]).all() and np.isfinite(history.position[1:]).all()
    assert history.accepted.sum() == 58 and len(history.t) == 60
    columns = history.columns()
    assert all(len(column) == 60 for column in columns.values()) and {"t", "qw", "Ixy", "nis"} <= set(columns)
    error = history.position[-1] - truth.states[-1].position
    assert np.all(np.abs(error) < 5 * history.sigma[-1, 3:])
    with pytest.raises(ValueError, match="no measurements"):
        track([], TargetEstimator(tumble.n))
