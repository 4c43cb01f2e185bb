"""A night's work against the package: kills, failing disks, lost power, damaged files, crowds. See docs/trust.md.

make campaign                     hours
make campaign HOURS=0.2           a short one
make campaign PARTS=faults        one part of it; also several, with commas between
"""
