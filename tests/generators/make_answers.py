#!/usr/bin/env python3
"""Records CPython's answers to the questions of tests/lang/python/replay.gx: tests/generators/make_answers.py [FILE…].

Each file is a test that asks gx the same and tells what differs. An exception is compared by its
class, since gx's messages say more. What gx means to answer otherwise is in KNOWN, with the reason,
and is not compared.
"""
import collections
import os
import re
import signal
import sys
import warnings

import tables

PYTHON = os.path.join(tables.TESTS, 'lang', 'python')
warnings.simplefilter('ignore')
replay = {}
exec(open(os.path.join(PYTHON, 'replay.gx')).read(), replay)

# (pattern of a question, of CPython's answer, reason)
KNOWN = [
    (r'%=? \(?collections.deque', 'TypeError',
     'gx asks of the operand of % only whether it has items'),
    (r'\|=? \(?int|int\)? \||x = int\nx \|', '', 'a union of types is a tuple of them'),
    (r"decode\('a|decode\(''|^str\(b'', '", "'' ->|^''",
     'an unknown encoding is refused, whether there is something to decode or not'),
    (r'x\[10\*\*30\]', 'IndexError',
     'what takes no items says so before it looks at the index'),
    (r'deque.*__(get|del|set)item__\(-?10', 'OverflowError', 'the method raises what d[i] raises'),
    (r'Counter.*__eq__\(\{', 'NotImplemented', 'a dict answers for a Counter at once'),
    (r'OrderedDict.*(pop|setdefault)\(key=', '', 'key is given by position, as for a dict'),
    (r"extend\(''\)", '', 'a text is refused, empty or not'),
    (r'__round__\(None\)', 'TypeError', 'None is no number of digits, as for round()'),
    (r'range\(.*10\*\*30', '', 'the bounds of a range are within int64'),
    (r'^\(True\).from_bytes', '', 'from_bytes gives an int'),
]


def known(question, told):
    text = question if isinstance(question, str) else '(%s).%s' % question
    return any(re.search(q, text, re.S) and re.search(a, told) for q, a, _ in KNOWN)


def ask(kind, question):
    def ring(*_):
        raise SystemExit('CPython takes too long for %r' % (question,))
    signal.signal(signal.SIGALRM, ring)
    signal.alarm(10)
    told = replay['answer'](kind, question)
    signal.alarm(0)
    return '?' if known(question, told) else told


def packed(numbers):
    parts = []
    for n in numbers:
        if parts and parts[-1][0] == n:
            parts[-1][1] += 1
        else:
            parts.append([n, 1])
    return ' '.join(str(n) if times == 1 else '%s*%d' % (n, times) for n, times in parts)


def write(name, about, kind, rows):
    told = {row: [ask(kind, q) for q in replay['questions'](kind, row)] for row in rows}
    counts = collections.Counter(a for answers in told.values() for a in answers if a != '?')
    texts = [text for text, _ in counts.most_common()]
    number = {text: i for i, text in enumerate(texts)} | {'?': '?'}
    lines = ['# CPython\'s answers: %s; written by make_answers.py.' % about,
             'from replay import replay', 'TEXTS = [']
    lines += ['    %s,' % ascii(text) for text in texts]
    lines += [']', 'ROWS = [']
    lines += ['    %s,' % ascii('%s: %s' % (row, packed(number[a] for a in told[row])))
              for row in rows]
    lines += [']', 'replay(%r, ROWS, TEXTS)' % kind, '# expect: %d answers' % counts.total()]
    with open(os.path.join(PYTHON, name + '.gx'), 'w') as f:
        f.write('\n'.join(lines) + '\n')


def methods(type_name):
    """Its public methods, and those of Python's protocols that a script calls by name."""
    cls = eval(type_name, {'collections': collections})
    spoken = ['__contains__', '__getitem__', '__iter__', '__len__', '__reversed__', '__round__',
              '__trunc__', '__floor__', '__ceil__', '__index__', '__int__', '__float__', '__bool__',
              '__add__', '__mul__', '__mod__', '__or__', '__and__', '__sub__', '__lt__', '__eq__',
              '__neg__', '__setitem__', '__delitem__', '__missing__', '__copy__', '__format__']
    return [n for n in dir(cls) if callable(getattr(cls, n)) and (n[0] != '_' or n in spoken)
            and n not in ('fromkeys', 'from_number')]


FILES = {
    'arithmetic': ('operators', 'operator', replay['OPERATORS']),
    'augmented': ('augmented assignment', 'augmented', replay['OPERATORS']),
    'relations': ('comparisons and in', 'operator', replay['RELATIONS']),
    'one_argument': ('functions of one value', 'one', replay['ONE']),
    'two_arguments': ('functions of two values', 'two', replay['TWO']),
    'item_stores': ('items stored and deleted', 'store', replay['STORES']),
}
for group, names in (('numbers', ('int', 'float', 'complex')), ('str', ('str',)),
                     ('bytes', ('bytes',)), ('bytearray', ('bytearray',)),
                     ('sequences', ('list', 'tuple', 'range', 'slice')),
                     ('tables', ('dict', 'set', 'frozenset')),
                     ('collections', ('collections.deque', 'collections.Counter',
                                      'collections.OrderedDict', 'collections.defaultdict'))):
    FILES['methods_' + group] = ('methods of %s' % ', '.join(names), 'method',
                                 ['%s.%s' % (t, m) for t in names for m in methods(t)])
NAMED = ['object', 'int', 'bool', 'float', 'complex', 'str', 'bytes', 'bytearray', 'list', 'tuple',
         'dict', 'set', 'frozenset', 'range', 'slice', 'memoryview', 'enumerate', 'zip', 'map',
         'filter', 'reversed', 'type(None)', 'type(...)', 'type(len)', 'type({}.keys())',
         'type({}.values())', 'type({}.items())', 'type(iter([]))', 'collections.deque',
         'collections.Counter', 'collections.OrderedDict', 'collections.defaultdict',
         'collections.ChainMap', 'collections.UserDict', 'collections.UserList',
         'collections.UserString', 'functools.partial', 'functools.cached_property']
MODULES = ['collections', 'itertools', 'functools', 'operator', 'math']


def write_names():
    """What each type, its instances and each module of Python's are asked for by name."""
    import functools
    import importlib
    lines = ["# The names that CPython's builtin types and modules have; written by make_answers.py.",
             'import collections, functools, itertools, math, operator', 'from absent import ABSENT',
             'NAMES = {']
    scope = {'collections': collections, 'functools': functools}
    for name in NAMED:
        lines.append('    %r: %r,' % (name, ' '.join(dir(eval(name, scope)))))
    for name in MODULES:
        public = [n for n in dir(importlib.import_module(name)) if n[0] != '_']
        lines.append('    %r: %r,' % (name, ' '.join(public)))
    lines += ['}', 'unexplained, stale = [], []',
              'for owner, names in NAMES.items():',
              '    try:',
              '        value = eval(owner)',
              '    except AttributeError:',
              '        if owner not in ABSENT:',
              '            unexplained.append(owner)',
              '        continue',
              '    for name in names.split():',
              '        why = name in ABSENT or owner + "." + name in ABSENT',
              '        if not hasattr(value, name) and not why:',
              '            unexplained.append(owner + "." + name)',
              '        if hasattr(value, name) and owner + "." + name in ABSENT:',
              '            stale.append(owner + "." + name)',
              'print("absent without a reason:", " ".join(unexplained) or "none")',
              '# expect: absent without a reason: none',
              'print("explained, but there:", " ".join(stale) or "none")',
              '# expect: explained, but there: none']
    with open(os.path.join(PYTHON, 'names.gx'), 'w') as f:
        f.write('\n'.join(lines) + '\n')


for file in sys.argv[1:] or [*FILES, 'names']:
    if file == 'names':
        write_names()
    else:
        write(file, *FILES[file])
