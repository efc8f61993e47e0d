# What gx and the oracle both run before the programs of a batch: how values and exceptions are told.
import math
import operator
import itertools
import functools
import collections
import copy
import sys

def kind(e):
    return type(e).__name__
def chain(e):
    """The exception, what it came from, and what was handled when it was raised."""
    names = []
    while e is not None and len(names) < 6:
        names.append(kind(e) + ('+' if e.__cause__ is not None else ''))
        e = e.__cause__ or e.__context__
    return ' < '.join(names)
def tell(v, deep=0):
    if deep > 6:
        return '...'
    if v is None or isinstance(v, (bool, int, float, complex, str, bytes, range, slice)):
        return repr(v) if type(v).__name__ in BASIC else type(v).__name__ + '(' + repr(v) + ')'
    name = type(v).__name__
    if isinstance(v, (list, tuple)):
        inner = ', '.join([tell(i, deep + 1) for i in v[:40]])
        return name + '[' + inner + ']'
    if isinstance(v, (set, frozenset)):
        return name + '{' + ', '.join(sorted([tell(i, deep + 1) for i in v])) + '}'
    if isinstance(v, dict):
        return name + '{' + ', '.join([tell(k, deep + 1) + ': ' + tell(v[k], deep + 1) for k in v]) + '}'
    if isinstance(v, collections.deque):
        return 'deque[' + ', '.join([tell(i, deep + 1) for i in v]) + ']' + repr(v.maxlen)
    if name in ('dict_keys', 'dict_values', 'dict_items'):
        return name + '[' + ', '.join([tell(i, deep + 1) for i in v]) + ']'
    if isinstance(v, type):
        return 'type ' + v.__name__
    if hasattr(v, '__next__'):
        return 'iterator[' + ', '.join([tell(i, deep + 1) for i in itertools.islice(v, 12)]) + ']'
    if isinstance(v, BaseException):
        return name + tell(own(v), deep + 1)
    return 'callable' if callable(v) else name
BASIC = ['NoneType', 'bool', 'int', 'float', 'complex', 'str', 'bytes', 'range', 'slice']
def own(e):
    """The arguments of an exception that a program chose: texts of messages are each side's own."""
    return [a for a in e.args if not isinstance(a, str) or len(a) < 5]
def show(*values):
    print(' | '.join([tell(v) for v in values]))
def settle():
    pass

# What drawn programs use.
class Manager:
    def __init__(self, name, swallow=False, fail=None):
        self.name, self.swallow, self.fail = name, swallow, fail
    def __enter__(self):
        print('enter', self.name)
        if self.fail == 'enter':
            raise LookupError(self.name)
        return self
    def __exit__(self, kind_, value, trace):
        print('exit', self.name, kind_ and kind_.__name__)
        if self.fail == 'exit':
            raise BufferError(self.name)
        return self.swallow
class Plain:
    pass
class Point:
    __match_args__ = ('x', 'y')
    def __init__(self, x=0, y=0):
        self.x, self.y = x, y
    def __repr__(self):
        return f'Point({self.x!r}, {self.y!r})'
    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)
    def __hash__(self):
        return hash((self.x, self.y))
