"""gx as a module of Python's, with Python's own library alone."""

import array
import io
import os
import signal
import sys
import tempfile
import threading
import time
import unittest

import gx
import gx.numpy as np


class Values(unittest.TestCase):
    def test_expressions(self):
        self.assertEqual(gx.eval("1 + 2"), 3)
        self.assertEqual(gx.eval("[i * a for i in range(3)]", a=2), [0, 2, 4])
        self.assertEqual(gx.eval("2**100"), 2**100)
        self.assertEqual(gx.eval("(1, 'two', b'3', None, {4: {5}})"), (1, "two", b"3", None, {4: {5}}))
        self.assertEqual(gx.eval("f(3)", f=lambda x: x + 1), 4)

    def test_session(self):
        with gx.Session() as s:
            self.assertIsNone(s.run("def f(x, k=2):\n    return x * k\nn = 5"))
            self.assertEqual(s.run("f(n)"), 10)
            self.assertEqual(s["f"](3, k=4), 12)
            s["m"] = [1, 2]
            self.assertEqual(s.run("m + [n]"), [1, 2, 5])
            self.assertIn("n", s)
            del s["n"]
            self.assertNotIn("n", s)
            f = s["f"]
        with self.assertRaisesRegex(RuntimeError, "has ended"):
            f(1)
        with self.assertRaisesRegex(RuntimeError, "was closed"):
            s.run("1")

    def test_sessions_know_nothing_of_each_other(self):
        a, b = gx.Session(), gx.Session()
        a["x"] = 1
        self.assertNotIn("x", b)
        b["y"] = a.run("arange(3) * 2")  # an array crosses, over the same memory
        self.assertEqual(b.run("int(y.sum())"), 6)
        b.run("y[0] = 10")
        self.assertEqual(repr(b["y"]), "array([10,  2,  4])")
        a.close()
        b.close()

    def test_script(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.gx")
            with open(os.path.join(folder, "near.gx"), "w") as f:
                f.write("k = 3\n")
            with open(path, "w") as f:
                f.write("import near\nweights = arange(4) * near.k\n")
            with gx.run(path) as s:
                self.assertEqual(s["weights"].tolist(), [0, 3, 6, 9])

    def test_output(self):
        seen = []
        with gx.Session(write=lambda stream, t: seen.append((stream, t)),
                        ask=lambda prompt: prompt + "!") as s:
            s.run("import sys\nprint('a', 1)\nprint('b', file=sys.stderr)")
            self.assertEqual("".join(t for n, t in seen if n == 1), "a 1\n")
            self.assertEqual("".join(t for n, t in seen if n == 2), "b\n")
            self.assertEqual(s.run("input('who')"), "who!")
        old, sys.stdout = sys.stdout, io.StringIO()
        try:
            gx.eval("print('here')")
            self.assertEqual(sys.stdout.getvalue(), "here\n")
        finally:
            sys.stdout = old

    def test_editors(self):
        with gx.Session() as s:
            self.assertEqual(s.complete("ä = np.linsp"), (7, ["linspace"]))
            self.assertEqual(s.is_complete("for i in range(3):"), "incomplete")
            self.assertEqual(s.is_complete("1 +"), "invalid")
            self.assertEqual(s.is_complete("x = 1"), "complete")
            self.assertIn("linspace(start, stop", s.inspect("np.linspace"))


class Errors(unittest.TestCase):
    def test_classes_and_messages(self):
        with self.assertRaises(ValueError) as caught:
            gx.eval("ones((3, 4)) + ones((4, 3))")
        self.assertEqual(str(caught.exception), "cannot combine shapes (3, 4) and (4, 3)")
        self.assertIn("help: ones((3, 4)) + ones((4, 3)).T gives (3, 4)",
                      caught.exception.__gx_message__)
        with self.assertRaises(ZeroDivisionError):
            gx.eval("1 // 0")
        with self.assertRaises(SyntaxError):
            gx.Session().run("1 +")
        with self.assertRaises(NameError):
            gx.eval("nothing")

    def test_through_both(self):
        class Own(LookupError):
            pass

        def fail(x):
            raise Own(x)
        with self.assertRaises(Own) as caught:
            gx.eval("[f(i) for i in range(3)]", f=fail)
        self.assertEqual(caught.exception.args, (0,))
        with gx.Session() as s:
            s.run("def safe(f):\n    try:\n        f(1)\n    except LookupError:\n        return 'caught'\n")
            self.assertEqual(s["safe"](fail), "caught")
            s.run("class Mine(ValueError): pass\ndef throw(): raise Mine('no')")
            with self.assertRaisesRegex(ValueError, "no") as caught:
                s["throw"]()
            self.assertEqual(type(caught.exception).__name__, "Mine")

    def test_safe(self):
        with gx.Session(safe=True) as s:
            for code in ("open('/etc/passwd')", "python.eval('1')", "import json5"):
                with self.assertRaises(Exception):
                    s.run(code)
            s["f"] = lambda x: x * 2
            self.assertEqual(s.run("f(2)"), 4)

    def test_limits(self):
        with gx.Session(max_seconds=0.2) as s:
            with self.assertRaises(KeyboardInterrupt):
                s.run("while True: pass")
            self.assertEqual(s.run("1 + 1"), 2)


class Arrays(unittest.TestCase):
    def test_namespace(self):
        a = np.arange(6).reshape(2, 3)
        self.assertIsInstance(a, np.ndarray)
        self.assertNotIsInstance(1, np.ndarray)
        self.assertEqual(a.shape, (2, 3))
        self.assertEqual((a + [1, 2, 3]).tolist(), [[1, 3, 5], [4, 6, 8]])
        self.assertEqual(([10, 20, 30] - a)[1].tolist(), [7, 16, 25])
        self.assertEqual(a[[1, 0]].tolist(), [[3, 4, 5], [0, 1, 2]])
        self.assertEqual(a[a > 2].tolist(), [3, 4, 5])
        self.assertEqual(np.concatenate([a, a], axis=1).shape, (2, 6))
        self.assertEqual(np.stack([[1, 2], [3, 4]]).tolist(), [[1, 2], [3, 4]])
        self.assertEqual(len(a), 2)
        self.assertEqual([row.tolist() for row in a], [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(abs(np.array([-1, 2])).tolist(), [1, 2])
        self.assertEqual(int(a.sum()), 15)
        self.assertEqual(float(np.linalg.norm(np.array([3.0, 4.0]))), 5)
        self.assertEqual(round(float(np.float64(2.5)), 1), 2.5)
        self.assertEqual(f"{np.array([1.5]).sum():.2f}", "1.50")
        self.assertTrue(np.zeros(1) == 0)
        with self.assertRaises(ValueError):
            bool(np.zeros(2))
        with self.assertRaises(AttributeError):
            np.no_such_name
        with self.assertRaises(ImportError):
            import gx.no_such_module
        import gx.numpy.linalg as la
        self.assertIs(la, np.linalg)
        self.assertEqual(la.det(np.eye(3)), 1)
        import gx.scipy.special as special
        self.assertEqual(special.factorial(5), 120)

    def test_in_place(self):
        a = np.ones(4)
        b, view = a, a[1:3]
        a += 1
        a *= [1, 2, 3, 4]
        self.assertIs(a, b)
        self.assertEqual(view.tolist(), [4, 6])
        view[:] = 0
        self.assertEqual(a.tolist(), [2, 0, 0, 8])
        with self.assertRaises(TypeError):
            a |= 1

    def test_lists_that_change(self):
        items = list(range(20))
        np.random.shuffle(items)
        self.assertEqual(sorted(items), list(range(20)))

    def test_buffers(self):
        a = np.arange(6.0).reshape(2, 3)
        m = memoryview(a)
        self.assertEqual((m.shape, m.format, m.readonly), ((2, 3), "d", False))
        self.assertEqual(memoryview(a.T).strides, (8, 24))
        flat = memoryview(a).cast("B").cast("d")
        flat[0] = 7
        self.assertEqual(a[0, 0], 7)
        a[0, 1] = 8
        self.assertEqual(flat[1], 8)
        numbers = array.array("i", [1, 2, 3])
        b = np.asarray(numbers)
        self.assertEqual((b.tolist(), str(b.dtype)), ([1, 2, 3], "int32"))
        b[0] = 9
        self.assertEqual(numbers[0], 9)
        half = np.sqrt(np.asarray(array.array("d", [4.0] * 10000)))
        self.assertEqual(half[0], 2)

    def test_what_is_pending_is_not_changed_afterwards(self):
        numbers = array.array("d", [1.0] * 10000)
        x = np.asarray(numbers)
        y = x * 2 + 1
        numbers[0] = 100
        self.assertEqual(y[0], 3)
        a = np.zeros(10000)
        m = memoryview(a)
        b = a + 1
        m[0] = 5
        self.assertEqual((b[0], (a + 1)[0]), (1, 6))

    def test_laziness(self):
        with gx.Session() as s:
            x = s.run("np.linspace(0, 1, 100000)")
            before = s.kernels
            y = (x * x + 1) / 2
            self.assertEqual(s.kernels, before)
            y.tolist()
            self.assertEqual(s.kernels, before + 1)

    def test_interface(self):
        a = np.arange(3, dtype="int16")
        face = a.__array_interface__
        self.assertEqual((face["shape"], face["typestr"], face["version"]), ((3,), "<i2", 3))
        self.assertEqual(face["strides"], (2,))
        b = gx.from_dlpack(a)
        b[1] = 50
        self.assertEqual(a[1], 50)
        self.assertEqual(a.__dlpack_device__(), (1, 0))
        a.__dlpack__(max_version=(1, 0))  # nobody takes it
        with self.assertRaises(TypeError):
            gx._gx.from_dlpack(gx._main._gx, object())

    def test_pickle(self):
        import pickle
        a = np.arange(6.0).reshape(2, 3).T
        b = pickle.loads(pickle.dumps(a))
        self.assertEqual((b.tolist(), str(b.dtype)), (a.tolist(), "float64"))
        b[0, 0] = 1

    def test_memory(self):
        with gx.Session() as s:
            f = s.run("lambda n: zeros(n)")
            start = time.time()
            for _ in range(300):  # 2.4 GB, were it kept
                f(10**6) + 1
            self.assertLess(time.time() - start, 60)


class Threads(unittest.TestCase):
    def test_sessions_on_threads(self):
        results = {}

        def work(k):
            with gx.Session() as s:
                s["k"] = k
                results[k] = s.run("total = 0\nfor i in range(20000):\n    total += i * k\ntotal")
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(results, {k: k * 199990000 for k in range(4)})

    def test_one_session_by_turns(self):
        with gx.Session() as s:
            s.run("n = 0\ndef add(k):\n    global n\n    for i in range(100):\n        n += k\n")
            add = s["add"]
            threads = [threading.Thread(target=lambda: [add(1) for _ in range(20)]) for _ in range(4)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(s["n"], 8000)

    def test_python_runs_meanwhile(self):
        seen = []
        with gx.Session() as s:
            s.run("def spin(stop):\n    x = 0\n    while not stop():\n        for i in range(1000):\n            x += i\n")
            until = threading.Event()
            t = threading.Thread(target=lambda: s["spin"](until.is_set))
            t.start()
            for i in range(20):
                seen.append(i)
                time.sleep(0.001)
            until.set()
            t.join()
        self.assertEqual(len(seen), 20)

    def test_interrupt_from_a_thread(self):
        with gx.Session() as s:
            threading.Timer(0.2, s.interrupt).start()
            with self.assertRaises(KeyboardInterrupt):
                s.run("while True: pass")
            self.assertEqual(s.run("2"), 2)


class Interrupts(unittest.TestCase):
    def stopped(self, fn):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.time()
        with self.assertRaises(KeyboardInterrupt):
            fn()
        self.assertLess(time.time() - start, 30)
        time.sleep(0.01)  # a second one would be raised here

    def test_ctrl_c(self):
        with gx.Session() as s:
            s["k"] = 41
            s.run("def forever():\n    while True: pass\n")
            self.stopped(lambda: s.run("while True: pass"))
            self.stopped(s["forever"])
            s["f"] = time.sleep
            self.stopped(lambda: s.run("f(20)"))
            signal.signal(signal.SIGINT, signal.default_int_handler)  # as notebooks do
            self.stopped(s["forever"])
            self.assertEqual(s.run("k + 1"), 42)


if __name__ == "__main__":
    unittest.main()
