"""A heap in two arrays: keys, of which the least is first, and the items they belong to.

Which of equal keys comes off first is always the same, and depends on how the heap is built: with another heap,
searches find other ways that are as good.
"""

from __future__ import annotations

from walkon.kernels import lean


@lean
def push(keys, items, count, key, item):
    """Put an item with its key onto a heap of `count`; the new count."""
    place = count
    while place > 0:
        above = (place - 1) >> 1
        if keys[above] <= key:
            break
        keys[place], items[place] = keys[above], items[above]
        place = above
    keys[place], items[place] = key, item
    return count + 1


@lean
def pop(keys, items, count):
    """Take off the first; the new count. What was first is to be read before."""
    count -= 1
    key, item = keys[count], items[count]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[place], items[place] = keys[below], items[below]
        place = below
    keys[place], items[place] = key, item
    return count
