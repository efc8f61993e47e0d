"""A notebook in gx is executed by nbclient."""

import os
import unittest

import nbformat
from nbclient import NotebookClient

HERE = os.path.dirname(os.path.abspath(__file__))
NOTEBOOK = os.path.join(HERE, "..", "..", "examples", "notebooks", "first.ipynb")


class Notebook(unittest.TestCase):
    def test_first(self):
        book = nbformat.read(NOTEBOOK, as_version=4)
        written = [cell.get("outputs") for cell in book.cells]
        NotebookClient(book, timeout=60, kernel_name="gx").execute()
        for cell, before in zip(book.cells, written):
            if cell.cell_type != "code" or "volatile" in cell.metadata.get("tags", []):
                continue
            with self.subTest(cell=cell.source):
                self.assertEqual([self.seen(o) for o in cell.outputs], [self.seen(o) for o in before])

    @staticmethod
    def seen(output):
        if output.output_type == "stream":
            return output.text
        if output.output_type == "error":
            return output.ename, output.evalue
        return sorted(output.data), output.data["text/plain"]


if __name__ == "__main__":
    unittest.main()
