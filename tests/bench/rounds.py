"""Runs numbered lines in processes: a process that ends or takes too long loses its line, and another
goes on behind it. A line says `NUMBER word rest` on stdout."""
import os
import select
import subprocess
import tempfile


def once(command, text, count, env, limit, before):
    """What one process says of its lines, up to one that ends it or takes too long: [(word, rest)]."""
    answers = []
    with tempfile.NamedTemporaryFile("w", suffix=".gx") as script:
        script.write(text)
        script.flush()
        process = subprocess.Popen(command + [script.name], env=dict(os.environ, **env), bufsize=0,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, preexec_fn=before)
        try:
            while len(answers) < count:
                if not select.select([process.stdout], [], [], limit)[0]:
                    answers.append(("late", ""))
                    break
                said = process.stdout.readline().decode().split(None, 2)
                if len(said) < 3:
                    answers.append(("ended", ""))
                    break
                assert int(said[0]) == len(answers), said
                answers.append((said[1], said[2].strip()))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    return answers


def answers(command, lines, text_of, env=None, limit=5, late=2, before=None):
    """An answer for each line; after `late` lines that took too long the rest are left out."""
    found = []
    while len(found) < len(lines):
        rest = lines[len(found):]
        found += once(command, text_of(rest), len(rest), env or {}, limit, before)
        if sum(word == "late" for word, _ in found) >= late:
            found += [("late", "")] * (len(lines) - len(found))
    return found
