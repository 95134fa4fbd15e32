"""Scans written, read back, and refused."""

import numpy as np
import pytest
import trimesh

from softdock.sensing import Scan, ScanError, read_scan, read_scans, write_scan

POINTS = np.random.default_rng(0).uniform(1, 2, (50, 3))


def test_npz_comes_back_as_it_was(tmp_path):
    scan = Scan(POINTS, np.linspace(-0.1, 0.1, 50), time=3.25, sigma=0.004)
    write_scan(tmp_path / "scan.npz", scan)
    back = read_scan(tmp_path / "scan.npz")
    assert (back.points == scan.points).all() and (back.times == scan.times).all()
    assert (back.time, back.sigma, back.lost) == (3.25, 0.004, 0)


def test_ply_takes_its_time_from_its_name(tmp_path):
    trimesh.PointCloud(POINTS).export(tmp_path / "run2-0012.5.ply")
    scan = read_scan(tmp_path / "run2-0012.5.ply", sigma=0.01)
    assert scan.time == 12.5 and scan.sigma == 0.01 and np.allclose(scan.points, POINTS, atol=1e-6)


def test_returns_that_are_not_finite_are_left_out_and_counted(tmp_path):
    points = POINTS.copy()
    points[::10] = np.nan
    np.savez(tmp_path / "scan-1.npz", points=points)
    scan = read_scan(tmp_path / "scan-1.npz")
    assert len(scan) == 45 and scan.lost == 5


def test_a_folder_is_read_in_the_order_of_time(tmp_path):
    for name in ("scan-10.npz", "scan-9.5.npz", "scan-100.npz"):
        np.savez(tmp_path / name, points=POINTS)
    trimesh.PointCloud(POINTS).export(tmp_path / "scan-20.ply")
    assert [scan.time for scan in read_scans(tmp_path)] == [9.5, 10, 20, 100]
    np.savez(tmp_path / "b-20.npz", points=POINTS)
    with pytest.raises(ScanError, match="both of 20 s"):
        read_scans(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("scan-1.npz", {"cloud": POINTS}, "no array 'points'"),
        ("scan-1.npz", {"points": POINTS[:, :2]}, "3 columns"),
        ("scan-1.npz", {"points": POINTS, "times": np.zeros(3)}, "one for each point"),
        ("scan-1.npz", {"points": POINTS, "sigma": -1.0}, "sigma positive"),
        ("scan-1.npz", {"points": np.array(["a"])}, "cannot be read as NPZ"),
        ("scan.npz", {"points": POINTS}, "has no time"),
    ],
)
def test_bad_files_are_refused_by_name(tmp_path, name, content, message):
    np.savez(tmp_path / name, **content)
    with pytest.raises(ScanError, match=f"{name}.*{message}"):
        read_scan(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "message"), [("a-1.ply", "as PLY"), ("a-1.npz", "as NPZ"), ("a-1.txt", "not read"), ("b-1.ply", "no such")]
)
def test_torn_files_are_refused(tmp_path, name, message):
    if name.startswith("a"):
        (tmp_path / name).write_text("nonsense")
    with pytest.raises(ScanError, match=message):
        read_scan(tmp_path / name)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ScanError, match="no scans here"):
        read_scans(tmp_path)
