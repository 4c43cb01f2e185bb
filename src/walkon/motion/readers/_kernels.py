"""Kernels of the readers: bytes become numbers, channels become rotations. No raising, no globals but tables.

The byte index is unsigned, since numba checks a signed one for wrap-around at every access, and the common number
is read by code inlined into the scanner, since a call costs as much as the number: together three times faster.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

DONE, HARD_TOKEN, SHORT_ROW, LONG_ROW = 0, 1, 2, 3

_POWERS_OF_TEN = np.array([float(10**k) for k in range(23)])  # all exact: 10^22 is the largest that is
_MAX_DIGITS = 18  # the most decimal digits that always fit a signed 64-bit integer
_EXACT_INTEGERS = 2**53
_SPLITTER = 134217729.0  # 2^27 + 1, for Dekker's product
_MAX_MAGNITUDE = 1e9  # a larger angle or distance is left for the caller to refuse

_ONE = np.uintp(1)
_TAB, _NEWLINE, _VERTICAL_TAB, _FORM_FEED, _RETURN, _SPACE = 9, 10, 11, 12, 13, 32
_PLUS, _MINUS, _POINT, _UPPER_E, _LOWER_E = 43, 45, 46, 69, 101
_ZERO = np.uint8(48)


@kernel
def scan_rows(data, position, line, columns, values, row, column):
    """Read rows of numbers from bytes until the end or until something needs the caller.

    data: (N,) uint8; position, line: where to start and that place's line number; columns: numbers wanted per
    row; values: (R, columns) filled from (row, column) on, with room for every row N bytes can hold.
    Returns (status, position, line, row, column). On HARD_TOKEN `position` is the first byte of a token this
    scanner does not take on: too large an exponent, too great a value, or no number at all.
    """
    end = np.uintp(data.shape[0])
    i = np.uintp(position)
    while i < end:
        byte = data[i]
        if byte in (_SPACE, _TAB, _VERTICAL_TAB, _FORM_FEED):
            i += _ONE
        elif byte in (_NEWLINE, _RETURN):
            if column == columns:
                row += 1
                column = 0
            elif column > 0:
                return SHORT_ROW, i, line, row, column
            i += _ONE
            if byte == _RETURN and i < end and data[i] == _NEWLINE:
                i += _ONE
            line += 1
        elif column == columns:
            return LONG_ROW, i, line, row, column
        else:
            stop, value = _number_at(data, i, end)
            if stop == i:
                return HARD_TOKEN, i, line, row, column
            i = stop
            values[row, column] = value
            column += 1
    if column == columns:
        return DONE, i, line, row + 1, 0
    return (SHORT_ROW if column > 0 else DONE), i, line, row, column


@kernel(inline="always")
def _number_at(data, token, end):
    """(first byte after it, value) of the number at byte `token`; (token, 0) when it is left to the caller.

    What most numbers look like, [-]digits.digits, is read here; the rest elsewhere.
    """
    i = token
    negative = data[i] == _MINUS
    if negative or data[i] == _PLUS:
        i += _ONE
    start = i
    mantissa = np.int64(0)
    while i < end and np.uint8(data[i] - _ZERO) <= 9:
        mantissa = mantissa * 10 + np.int64(data[i] - _ZERO)
        i += _ONE
    point = i
    if i < end and data[i] == _POINT:
        i += _ONE
        while i < end and np.uint8(data[i] - _ZERO) <= 9:
            mantissa = mantissa * 10 + np.int64(data[i] - _ZERO)
            i += _ONE
    any_digit = point > start or i > point + _ONE
    if any_digit and i - start <= _MAX_DIGITS and mantissa < _EXACT_INTEGERS and (i == end or data[i] <= _SPACE):
        value = np.float64(mantissa)
        if i > point:
            value /= _POWERS_OF_TEN[i - point - _ONE]
    else:
        i, value = _unusual_number(data, start, end)
        if i == start:
            return token, 0.0
    if value > _MAX_MAGNITUDE:
        return token, 0.0
    return i, -value if negative else value


@kernel
def _unusual_number(data, start, end):
    """(first byte after it, value) of an unsigned number, long or with an exponent; (start, 0) if it is none.

    Only the first 18 significant digits count: the rest is below a hundredth of the last place of a double.
    """
    mantissa, significant, exponent, digits = np.int64(0), 0, 0, 0
    after_point = False
    i = start
    while i < end:
        if data[i] == _POINT and not after_point:
            after_point = True
        elif np.uint8(data[i] - _ZERO) > 9:
            break
        else:
            digits += 1
            if significant < _MAX_DIGITS:
                mantissa = mantissa * 10 + np.int64(data[i] - _ZERO)
                significant += 1 if mantissa > 0 else 0
                exponent -= 1 if after_point else 0
            elif not after_point:
                exponent += 1
        i += _ONE
    if i < end and (data[i] == _UPPER_E or data[i] == _LOWER_E):
        power, i = _exponent_at(data, i, end)
        exponent += power
    if mantissa == 0:
        exponent = 0
    if digits == 0 or (i < end and data[i] > _SPACE) or not -22 <= exponent <= 22:
        return start, 0.0
    return i, _scaled(mantissa, exponent)


@kernel
def _exponent_at(data, letter, end):
    """(value, first byte after) of the exponent whose "e" is at byte `letter`, which stays if no digits follow."""
    i = letter + _ONE
    negative = i < end and data[i] == _MINUS
    if i < end and (negative or data[i] == _PLUS):
        i += _ONE
    power, start = 0, i
    while i < end and np.uint8(data[i] - _ZERO) <= 9:
        power = min(power * 10 + np.int64(data[i] - _ZERO), 9999)
        i += _ONE
    if i == start:
        return 0, letter
    return (-power if negative else power), i


@kernel
def _scaled(mantissa, exponent):
    """mantissa · 10^exponent for |exponent| <= 22, to the nearest double but for ties nobody can see.

    Up to 2^53 both factors are exact and one rounding is made. A longer mantissa is divided in two steps, the
    second on what the first left over.
    """
    high = np.float64(mantissa)
    if mantissa <= _EXACT_INTEGERS:
        return high / _POWERS_OF_TEN[-exponent] if exponent < 0 else high * _POWERS_OF_TEN[exponent]
    if exponent >= 0:
        return high * _POWERS_OF_TEN[exponent]
    power = _POWERS_OF_TEN[-exponent]
    low = np.float64(mantissa - np.int64(high))
    quotient = high / power
    return quotient + (_product_error(quotient, power, high) + low) / power


@kernel
def _product_error(a, b, near):
    """near - a·b without rounding error, for `near` close to the product (Dekker 1971)."""
    c = _SPLITTER * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = _SPLITTER * b
    b_high = c - (c - b)
    b_low = b - b_high
    return (((near - a_high * b_high) - a_high * b_low) - a_low * b_high) - a_low * b_low


@kernel
def turn_by_channels(values, columns, joints, axes, rotations):
    """Compose Euler channels into local quaternions, neighbours in time on the same side of the sphere.

    values: (F, C) [deg]; for each of K rotation channels, in file order, its column, joint and axis (0, 1, 2);
    rotations: (F, J, 4), overwritten; joints without channels get the identity.
    """
    to_half_radians = math.pi / 360.0
    for f in range(values.shape[0]):
        for j in range(rotations.shape[1]):
            rotations[f, j, 0] = 1.0
            rotations[f, j, 1] = rotations[f, j, 2] = rotations[f, j, 3] = 0.0
        for k in range(columns.shape[0]):
            angle = values[f, columns[k]]
            if angle == 0.0:  # half of all channels in many files
                continue
            half = angle * to_half_radians
            c, s = math.cos(half), math.sin(half)
            q = rotations[f, joints[k]]
            # q times (c, s about axis a), written out; b and d are the axes that follow a in cyclic order.
            a = axes[k] + 1
            b = a % 3 + 1
            d = b % 3 + 1
            q0, qa, qb, qd = q[0], q[a], q[b], q[d]
            q[0] = q0 * c - qa * s
            q[a] = q0 * s + qa * c
            q[b] = qb * c + qd * s
            q[d] = qd * c - qb * s
        if f > 0:
            _align_signs(rotations[f - 1], rotations[f])


@kernel
def _align_signs(before, now):
    """Flip the quaternions (J, 4) of `now` that point away from those `before`; the rotations are the same."""
    for j in range(now.shape[0]):
        dot = 0.0
        for k in range(4):
            dot += now[j, k] * before[j, k]
        if dot < 0.0:
            for k in range(4):
                now[j, k] = -now[j, k]


@kernel
def longest_steps(positions, steps):
    """How far the fastest joint goes from each frame to the next: positions (F, J, 3) into steps (F - 1,)."""
    for f in range(steps.shape[0]):
        longest = 0.0
        for j in range(positions.shape[1]):
            square = 0.0
            for k in range(3):
                difference = positions[f + 1, j, k] - positions[f, j, k]
                square += difference * difference
            longest = max(longest, square)
        steps[f] = math.sqrt(longest)
