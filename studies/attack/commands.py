"""Command lines of the newer commands, one a line; `small.toml` and its run `recorded` are in the folder they are given
in, LONG is a name of 300 characters."""

import shlex

_LINES = r"""
schema ''
schema nothing
schema LONG
schema /dev/null
schema /dev/zero
schema .
schema nothing.toml
schema nothing.py
schema small.toml
schema capture
schema servicing
new capture a.toml --arm nothing.urdf
new capture b.toml --target nothing.stl
new world c.toml --arm x.urdf
new capture d.toml --arm /dev/zero
new capture e.toml --target /dev/null
new capture f.toml --target /dev/zero
new capture LONG.toml
new '' g.toml
new servicing no/such/folder/h.toml
new facility .
new nothing.py
export nothing --to urdf
export nothing --to fmu
export small.toml --to urdf
export small.toml --to urdf --out /proc/x.urdf
export small.toml --to urdf --out /dev/null
export small.toml --to urdf --out small.toml
export small.toml --to fmu --out /proc/x.fmu
export small.toml --to fmu --out small.toml
export capture --to urdf --out capture.urdf
export small.toml --to fmu --out LONG
export '' --to csv
export small.toml --to csv
export small.toml --to ''
doctor x
facility
facility nothing
facility delay --target nan
facility delay --target -1
facility delay --target x
facility delay --stiffness 0
facility delay --stiffness 1e300
facility delay --stiffness 1e-300
facility delay --viscosity -1
facility delay --viscosity 1e12
facility delay --damping inf
facility delay --speed 0
facility delay --speed 1e300
facility delay --period 0
facility delay --period -1
facility delay --period 1e-12
facility delay --period 1e9
facility delay --servicer 1e300
facility delay --out /proc/x
facility delay --out /dev/null
facility reach --arm nothing
facility reach --arm /dev/zero
facility reach --arm ''
facility reach --tip x
facility reach --inertia x
facility reach --inertia 1,2
facility reach --inertia nan,1,1
facility reach --inertia 0,0,0
facility reach --inertia 1,1,9
facility reach --inertia=-1,-1,-1
facility reach --rates 0,0,0
facility reach --rates nan,1,1
facility reach --rates 1e300,1e300,0
facility reach --rate nan
facility reach --rate 0
facility reach --rate 1e300
facility reach --angle 1e300
facility reach --angle -1
facility reach --distance nan
facility reach --distance 1e300
facility reach --payload -1
facility reach --payload inf
facility reach --starts 0
facility reach --seed -1
facility budget --set x=1
facility budget --set run.h=nan
facility budget --set ''
facility export /nonexistent
facility export /
facility export / --to x
facility export /dev/null
facility export recorded
replay recorded --video x
replay recorded --video x.avi
replay recorded --video /proc/x.mp4
replay recorded --video x.mp4 --fps nan
replay recorded --video x.mp4 --fps 1e9
replay recorded --video x.mp4 --speed 0
replay recorded --video x.mp4 --speed nan
replay recorded --video x.mp4 --size 1e9x3
replay recorded --video x.mp4 --size 0x0
replay recorded --video x.mp4 --size 9x9
replay recorded --video x.mp4 --view nothing
replay recorded --video x.mp4 --view "'); x=("
replay recorded --video small.toml
replay recorded --video x.gif --from nan
replay recorded --video x.gif --from 9 --to 1
replay recorded --video x.gif --speed 1e-12
replay recorded --video LONG.mp4
replay recorded --video x.webm --to -inf
replay recorded --picture ''
replay recorded --picture t=nan
replay recorded --picture t=x
replay recorded --picture t=1e400
replay recorded --picture t=
replay recorded --picture t=0,/proc/x.png
replay recorded --picture t=0,small.toml
replay recorded --picture t=0,x.png --view ''
replay recorded --picture t=0,LONG
replay recorded --picture t=0,. --size 320x200
replay recorded --picture t=1,y.png --size 320x200
replay small.toml --picture t=0
replay /nonexistent --video x.mp4
replay . --video x.mp4
"""
LINES = [tuple(shlex.split(line.replace("LONG", "x" * 300))) for line in _LINES.strip().splitlines()]
