"""The Jupyter kernel, by Jupyter's own tests of kernels and some more. The kernel is installed."""

import unittest

import jupyter_kernel_test


class GxKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "gx"
    language_name = "gx"
    file_extension = ".gx"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys\nprint('told', file=sys.stderr)"
    code_execute_result = [{"code": "6 * 7", "result": "42"},
                           {"code": "arange(3)", "result": "array([0, 1, 2])"}]
    code_display_data = [{"code": "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()", "mime": "image/png"}]
    code_generate_error = "ones((3, 4)) + ones((4, 3))"
    completion_samples = [{"text": "np.linsp", "matches": ["linspace"]},
                          {"text": "zip", "matches": {"zip"}}]
    complete_code_samples = ["1", "print('hello')", "def f(x):\n  return x * 2\n\n", "%time 1 + 1"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x * 2", "(1 +", "for i in range(3):"]
    invalid_code_samples = ["import = 7q", "1 +) 2"]
    code_page_something = "?linspace"
    code_clear_output = "%clear"
    code_inspect_sample = "linspace"
    code_history_pattern = "6 ?*"
    supported_history_operations = ("tail", "range", "search")

    def outputs(self, code):
        self.flush_channels()
        return self.execute_helper(code=code)

    def test_gx_error_in_colour(self):
        reply, _ = self.outputs("a = 1\nb = a + nothing")
        text = "\n".join(reply["content"]["traceback"])
        self.assertIn("\033[31m\033[1mNameError", text)
        self.assertIn("b = a + nothing", text)
        self.assertEqual(reply["content"]["ename"], "NameError")
        reply, out = self.outputs("a")
        self.assertEqual(out[-1]["content"]["data"]["text/plain"], "1")

    def test_gx_html(self):
        _, out = self.outputs("%%html\narange(600).reshape(20, 30)")
        html = out[-1]["content"]["data"]["text/html"]
        self.assertIn("<td>…</td>", html)
        self.assertIn("<td>599</td>", html)
        _, out = self.outputs("class Own:\n    def _repr_html_(self):\n        return '<b>own</b>'\nOwn()")
        self.assertEqual(out[-1]["content"]["data"]["text/html"], "<b>own</b>")

    def test_gx_magics(self):
        _, out = self.outputs("%%time\nx = 3")
        self.assertRegex("".join(m["content"]["text"] for m in out), r"\d (ns|[uµm]?s)")
        _, out = self.outputs("%timeit -n 1 -r 1 1 + 1")
        self.assertTrue(out and out[0]["msg_type"] == "stream")
        _, out = self.outputs("%who")
        self.assertIn("x", "".join(m["content"]["text"] for m in out).split())

    def test_gx_input(self):
        self.flush_channels()
        self.kc.execute("name = input('who? ')\nname * 2", allow_stdin=True)
        asked = self.kc.get_stdin_msg(timeout=15)
        self.assertEqual(asked["content"]["prompt"], "who? ")
        self.kc.input("ab")
        while True:
            message = self.kc.get_iopub_msg(timeout=15)
            if message["msg_type"] == "execute_result":
                break
        self.assertEqual(message["content"]["data"]["text/plain"], "'abab'")

    def test_gx_interrupt_keeps_the_session(self):
        self.flush_channels()
        self.outputs("kept = 41")
        self.kc.execute("n = 0\nwhile True:\n    n += 1")
        import time
        time.sleep(1)
        self.km.interrupt_kernel()
        reply = self.kc.get_shell_msg(timeout=15)
        self.assertEqual(reply["content"]["ename"], "KeyboardInterrupt")
        _, out = self.outputs("kept + 1")
        self.assertEqual(out[-1]["content"]["data"]["text/plain"], "42")

    def test_gx_user_expressions(self):
        self.flush_channels()
        self.kc.execute("q = 5", user_expressions={"twice": "q * 2", "none": "nothing"})
        said = self.kc.get_shell_msg(timeout=15)["content"]["user_expressions"]
        self.assertEqual(said["twice"]["data"]["text/plain"], "10")
        self.assertEqual(said["none"]["ename"], "NameError")


if __name__ == "__main__":
    unittest.main()
