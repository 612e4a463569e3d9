"""What a supervisor, a child and a fork server do, step by step, within the process of the test."""

import itertools
import json
import os
import signal
import socket
import sys
import types
from collections import defaultdict
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading import child, supervisor
from irmetrics_edu.classroom.grading.confinement import NEW_NAMESPACES, RefusedStep
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.grading.syscalls import NoFilter
from tests.tables import rows


class EndedError(BaseException):
    """A process that ended where it stood."""


def end(status):
    """In place of `os._exit`."""
    raise EndedError(status)


def piped(data=b""):
    """The end of a pipe to read from, into which this was written and no more comes."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return reading


def read_all(fd):
    """What comes until the other end is closed."""
    found = b""
    while piece := os.read(fd, 65536):
        found += piece
    os.close(fd)
    return found


# -- frames


def framed(message):
    """Four bytes of length, the biggest first, and JSON, as both channels have them."""
    body = json.dumps(message).encode()
    return (
        bytes([len(body) >> 24, len(body) >> 16 & 255, len(body) >> 8 & 255, len(body) & 255])
        + body
    )


def test_a_frame_is_read_in_whatever_pieces_it_comes(monkeypatch):
    """Never more than its own bytes; a channel that ends within one is told."""
    message = {"a": [1, "é", None], "long": "x" * 70_000}
    whole = framed(message) + b"rest"
    for most in (1, 3, 4, 1 << 16):
        left, asked = [whole if most > 3 else framed([7]) + b"rest"], []

        def read(_fd, count, most=most, left=left, asked=asked):
            asked.append(count)
            piece, left[0] = left[0][: min(count, most)], left[0][min(count, most) :]
            return piece

        monkeypatch.setattr(child.os, "read", read)
        assert child.read_frame(5) == (message if most > 3 else [7])
        assert left == [b"rest"]
        assert max(asked) <= 1 << 16
    for cut in (0, 1, 3, 4, 6):
        left = [framed([7])[:cut]]

        def torn(_fd, count, left=left):
            assert left, "read on after the end"
            if not left[0]:
                left.clear()
                return b""
            piece, left[0] = left[0][:count], left[0][count:]
            return piece

        monkeypatch.setattr(child.os, "read", torn)
        with pytest.raises(EOFError):
            child.read_frame(5)


@rows("most", [1, 2, 5, 1 << 20])
def test_a_frame_is_written_whole_however_little_is_taken_at_a_time(most):
    """The rest follows."""
    taken = []

    def write(_fd, data):
        taken.append(bytes(data[:most]))
        return len(taken[-1])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child.os, "write", write)
        child.write_frame(5, {"a": "é"})
    assert b"".join(taken) == framed({"a": "é"})


# -- what a child may import


def test_a_child_finds_the_packages_that_it_was_given_and_no_other(tmp_path):
    """At the place that was named; parts of a package are found by the package itself."""
    for name in ("given_one", "other_one"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    finder = child.OnlyThese({"given_one": str(tmp_path)})
    assert finder.find_spec("given_one").origin == str(tmp_path / "given_one" / "__init__.py")
    assert finder.find_spec("other_one") is None
    assert finder.find_spec("given_one", [str(tmp_path)]) is None
    assert finder.find_spec("missing_one") is None
    assert child.OnlyThese({"missing_one": str(tmp_path)}).find_spec("missing_one") is None


def test_packages_are_imported_before_any_child_and_a_failure_is_left_to_each(
    tmp_path, monkeypatch
):
    """Those after it are imported all the same; the finder is there for this alone."""
    (tmp_path / "first_one.py").write_text("raise ImportError")
    (tmp_path / "second_one.py").write_text("x = 5")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    before = [*sys.meta_path]
    monkeypatch.setitem(sys.modules, "second_one", None)
    monkeypatch.delitem(sys.modules, "second_one")
    child.preload(dict.fromkeys(["first_one", "second_one"], str(tmp_path)))
    assert sys.modules["second_one"].x == 5
    assert "first_one" not in sys.modules
    assert sys.meta_path == before
    assert child.PRELOADED == ("numpy",)


def test_what_was_imported_for_all_is_each_childs_own_or_gone(monkeypatch):
    """Packages find their parts where this child has them; modules of others stay as they are."""
    for places in ({"numpy": "/packages"}, {"other": "/packages"}):
        names = ("first", "numpy", "numpy.lib", "numpy.x.y")
        modules = {name: types.ModuleType(name) for name in names}
        for package in modules.values():
            package.__path__ = ["/elsewhere"]
        modules["numpy.alone"] = types.ModuleType("numpy.alone")
        modules["numpyish"] = types.ModuleType("numpyish")
        modules["numpyish"].__path__ = ["/elsewhere"]
        monkeypatch.setattr(child, "sys", SimpleNamespace(modules=modules))
        child.settle(places)
        if "numpy" in places:
            wanted = {
                "numpy": "/packages/numpy",
                "numpy.lib": "/packages/numpy/lib",
                "numpy.x.y": "/packages/numpy/x/y",
            }
            assert {name: modules[name].__path__ for name in wanted} == {
                name: [place] for name, place in wanted.items()
            }
            assert not hasattr(modules["numpy.alone"], "__path__")
        else:
            assert [*modules] == ["first", "numpyish"]
        assert modules["numpyish"].__path__ == modules["first"].__path__ == ["/elsewhere"]


def test_what_stands_in_for_a_module_leaves_the_packages_around_it_as_they_are(
    tmp_path, monkeypatch
):
    """Those that are there are imported; what keeps the answer is `check` alone."""
    (tmp_path / "real_one" / "inner").mkdir(parents=True)
    (tmp_path / "real_one" / "__init__.py").write_text("x = 5")
    (tmp_path / "real_one" / "inner" / "__init__.py").write_text("y = 6")
    (tmp_path / "real_one" / "inner" / "secret.py").write_text("z = 7")
    names = ["real_one", "real_one.inner", "real_one.inner.secret", "alone_one"]
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    checks = child.CheckCalls("f")
    child.stub("real_one.inner.secret", ["check", "hint"], checks)
    top, inner, secret = (sys.modules[name] for name in names[:3])
    assert (top.x, inner.y, hasattr(secret, "z")) == (5, 6, False)
    assert (top.inner, inner.secret) == (inner, secret)
    assert (secret.check, secret.hint()) == (checks, None)
    child.stub("alone_one", ["check", "z"])
    alone = sys.modules["alone_one"]
    assert (alone.check("f", 1), alone.z(), alone.__path__) == (None, None, [])
    assert checks.given == []
    # What was called before any cell is told as that.
    checks("f", 3)
    assert (checks.cells, checks.given) == ([0], [3])
    checks()
    checks(["f"], 4)
    assert (checks.cells, checks.given) == ([0], [3])
    endless = iter(int, 1)
    monkeypatch.setattr(child, "pack", lambda _value: 1 / 0)
    checks("f", endless)
    assert (checks.cells, checks.given) == ([0, 0], [3])


# -- a whole conversation with a child

QUESTION = {
    "cells": ["x = 1", "def f(a):\n    return a + x", "x = x * 10", "check('f', f)\n1 / 0"],
    "harness": "",
    "call": {"name": "f", "read": False},
    "answer": "f",
    "order": [1, 2, 3, 4],
    "checked": False,
    "stubs": {"made_up_checks": ["check", "hint"]},
    "replaced": [],
    "packages": {},
}


def served(monkeypatch, *messages, **changes):
    """What a child answers to a question with these changes and to the messages after it."""
    for name in ("made_up_checks", "__main__"):  # given back when the test ends
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name))
    monkeypatch.delitem(sys.modules, "made_up_checks")
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(child.os, "_exit", end)
    settled = []
    monkeypatch.setattr(child, "settle", settled.append)
    question = {**QUESTION, **changes}
    if not changes.get("kept"):
        question["cells"] = ["from made_up_checks import check", *question["cells"]]
        question["order"] = [1, *(number + 1 for number in question["order"])]
        for one in question["replaced"]:
            one["after"] = [number + 1 if number else 0 for number in one["after"]]
    source = piped(b"".join(map(framed, [question, *messages])))
    reading, sink = os.pipe()
    with pytest.raises(EndedError) as ended:
        child.serve(source, sink)
    assert ended.value.args == (0,)
    os.close(source)
    os.close(sink)
    data = read_all(reading)
    replies = []
    while data:
        length = int.from_bytes(data[:4], "big")
        replies.append(json.loads(data[4 : 4 + length]))
        data = data[4 + length :]
    assert settled == [question["packages"]]
    finder = sys.meta_path[-1]
    assert isinstance(finder, child.OnlyThese)
    assert finder.places == question["packages"]
    return replies


def case(word, *inputs):
    """A case as it is sent."""
    return {"word": word, "inputs": pack(inputs)}


def test_a_child_runs_the_cells_and_then_answers_each_case_with_its_word(monkeypatch):
    """It says first what the cells raised, and where `check` was called; nothing ends it sooner."""
    replies = served(monkeypatch, case("one", 5), case("two", "a"), case("three", 6), None)
    report, *answers = replies
    assert [(one["type"], one["cell"], one["line"]) for one in report["cells"]] == [
        ("ZeroDivisionError", 5, 2)
    ]
    assert report["checked"] == [5]
    assert answers[0] == {"word": "one", "value": 15}
    assert answers[1]["error"]["type"] == "TypeError"
    assert (answers[1]["word"], answers[1]["error"]["cell"]) == ("two", 3)
    assert answers[2] == {"word": "three", "value": 16}
    # What was printed is there before what is said.
    done = []
    write = child.write_frame
    with monkeypatch.context() as patch:
        patch.setattr(child, "_flush", lambda: done.append("flush"))
        patch.setattr(child, "write_frame", lambda *given: done.append("write") or write(*given))
        assert served(patch, case("one", 5), None) == replies[:2]
    assert done == ["flush", "write"] * 2
    # A grader that is gone ends it, too.
    assert served(monkeypatch, case("one", 5)) == replies[:2]
    # In another order, and of some cells alone.
    [report, answer, _] = served(monkeypatch, case("w", 5), case("w", 5), None, order=[2, 3, 1])
    assert (report["checked"], answer["value"]) == ([], 6)


def test_a_childs_harness_runs_last_and_what_check_got_may_be_the_answer(monkeypatch):
    """The last that it got, whatever the name means at the end."""
    later = {"cells": ["f = lambda a: a", "check('f', f)", "f = lambda a: a + 100"]}
    later["order"] = [1, 2, 3]
    for checked, value in ((True, 7), (False, 107)):
        [_, answer] = served(monkeypatch, case("w", 7), None, checked=checked, **later)
        assert answer == {"word": "w", "value": value}
    never = {"cells": ["f = lambda a: a"], "order": [1], "checked": True}
    assert served(monkeypatch, case("w", 7), None, **never)[1]["value"] == 7
    harness = "def g(a):\n    return [f(a), __name__]\nf = f"
    call = {"name": "g", "read": False}
    [report, answer] = served(
        monkeypatch, case("w", 7), None, harness=harness, call=call, checked=True, **later
    )
    assert answer == {"word": "w", "value": [7, "__main__"]}
    assert report["cells"] == []
    broken = served(monkeypatch, None, harness="1 / 0", **later)
    assert [(one["type"], one["cell"]) for one in broken[0]["cells"]] == [("ZeroDivisionError", 0)]
    # What Jupyter has beside Python, and what a notebook has at its beginning.
    jupyter = {"cells": ["x = [In, Out, get_ipython().y(3), display is print, [f for f in (1,)]]"]}
    read = {"name": "x", "read": True}
    answer = served(monkeypatch, case("w"), None, order=[1], call=read, **jupyter)[1]
    assert answer["value"] == [[""], {"dict": []}, None, True, [1]]


def test_right_answers_to_earlier_questions_stand_in_after_the_cells_that_are_named(monkeypatch):
    """As values, or as what cells of their own define; a broken one changes nothing."""
    read = {"name": "seen", "read": True}
    cells = ["seen = []", "seen.append(g)", "g = 'theirs'", "seen.append(g)"]
    for after, seen in (([0], [5, "theirs"]), ([3], [None, 5]), ([0, 3], [5, 5])):
        given = {"cells": ["g = None", *cells] if 0 not in after else cells}
        shift = 0 if 0 in after else 1
        cells_before = [number + shift if number else 0 for number in after]
        for right in (
            {"cells": [], "value": 5},
            {"cells": ["y = 4", "g = y + 1"], "value": None},
        ):
            one = {"name": "g", "after": [*cells_before], **right}
            order = [*range(1, len(given["cells"]) + 1)]
            answer = served(
                monkeypatch, case("w"), None, order=order, call=read, replaced=[one], **given
            )[1]
            assert answer["value"] == seen
    for broken in ({"cells": ["1 / 0"], "value": None}, {"cells": ["z = 1"], "value": None}):
        names = {"g": "theirs"}
        child.replace(names, {"name": "g", **broken})
        assert names == {"g": "theirs"}
    names = {}
    child.replace(names, {"name": "g", "cells": ["g = (__name__, len('ab'))"], "value": None})
    assert names == {"g": ("__main__", 2)}


def test_what_is_printed_is_sent_before_an_answer_even_by_a_stream_of_the_students(monkeypatch):
    """One that can't be flushed is passed over."""
    flushed = []

    class Stream:
        def flush(self):
            flushed.append(1)

    class Broken:
        def flush(self):
            raise KeyboardInterrupt

    for out, err, times in ((Stream(), Stream(), 2), (Broken(), Stream(), 1), (3, Stream(), 1)):
        flushed.clear()
        monkeypatch.setattr(child, "sys", SimpleNamespace(stdout=out, stderr=err))
        child._flush()
        assert len(flushed) == times


# -- the supervisor


def kept(monkeypatch, plan, *, refused=None, linux=True, watched=None, told=None, used=1.5):
    """What a supervisor does under a plan, step by step, and what it reports."""
    done = []
    monkeypatch.setattr(supervisor, "read_frame", lambda fd: plan if fd == 0 else None)
    for name in ("die_with_parent", "prctl", "_end_all"):
        monkeypatch.setattr(supervisor, name, lambda *given, name=name: done.append((name, *given)))

    def start(name):
        def started(*given):
            done.append((name, *given[1:]))
            assert given[0] is plan
            if refused is not None:
                raise refused
            return 77

        return started

    for name in ("_in_namespaces", "_plainly"):
        monkeypatch.setattr(supervisor, name, start(name))
    stop = []

    def watch(first, given, stopped, *, linux):
        done.append(("watch", first, given is plan, [*stopped], linux))
        stop[0](15, None)
        done.append(("stopped", *stopped))
        return watched

    clock = itertools.count(100)
    monkeypatch.setattr(supervisor, "_watch", watch)
    monkeypatch.setattr(supervisor, "_told", lambda fd: done.append(("told", fd)) or told or {})
    fakes = {
        "umask": lambda mask: done.append(("umask", mask)),
        "pipe": lambda: (30, 31),
        "close": lambda fd: done.append(("close", fd)),
        "times": lambda: SimpleNamespace(children_user=used, children_system=0.25),
        "write": lambda fd, data: done.append(("write", fd, json.loads(data))),
        "_exit": end,
    }
    fake = SimpleNamespace(**fakes)
    monkeypatch.setattr(supervisor, "os", fake)
    monkeypatch.setattr(supervisor, "sys", SimpleNamespace(platform="linux" if linux else "darwin"))
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    signals = SimpleNamespace(
        SIGTERM=15, signal=lambda number, how: stop.append(how) or done.append(("signal", number))
    )
    monkeypatch.setattr(supervisor, "signal", signals)
    with pytest.raises(EndedError) as ended:
        supervisor.keep(9)
    assert ended.value.args == (0,)
    *before, (what, fd, report) = done
    assert (what, fd) == ("write", 9)
    return before, report


@pytest.mark.parametrize("linux", [True, False])
@pytest.mark.parametrize("name", ["namespaces", "user", "plain"])
def test_a_supervisor_takes_its_steps_in_order_and_reports_once(monkeypatch, name, linux):
    """Under the same umask whatever the teacher's; it lets go of the child's channels."""
    usual = {"limit": "", "status": 0, "refused": "", "no_filter": False, "wall": 1.0}
    starts = "_in_namespaces" if name == "namespaces" else "_plainly"
    plan = {"tier": name}
    first = [("umask", 0o022)]
    if linux:
        first += [("die_with_parent",), ("prctl", 36, 1)]
    first += [(starts, 9, 31)]
    after = [
        ("signal", 15),
        *(("close", fd) for fd in (31, 0, 1)),
        ("watch", 77, True, [], linux),
        ("stopped", 15),
        ("_end_all", plan, 77),
        ("told", 30),
    ]
    for cpu in (0.5, 1.75, 3.0):  # the most of what was seen and what the system says at the end
        watched = {"status": 3, "cpu": cpu, "most": 2, "limit": "memory"}
        steps, report = kept(monkeypatch, plan, linux=linux, watched=watched)
        assert steps == first + after
        assert report == {**usual, **watched, "cpu": max(cpu, 1.75)}
    _, report = kept(monkeypatch, plan, linux=linux, watched={}, used=0.125)
    assert report == {**usual, "cpu": 0.375}
    late = {"refused": "mount: no", "no_filter": True}
    _, report = kept(monkeypatch, plan, linux=linux, watched={"status": 0}, told=late)
    assert report == {**usual, **late, "cpu": 1.75}
    for error, is_filter in ((RefusedStep("no" * 200), False), (NoFilter("none"), True)):
        steps, report = kept(monkeypatch, plan, linux=linux, refused=error)
        assert steps == first
        words = str(error)[:300]
        assert report == {**usual, "refused": words, "no_filter": is_filter, "cpu": 1.75}


def test_what_a_refused_step_says_fits_into_one_write():
    """Three hundred letters, each of at most twelve bytes in JSON: a pipe holds 4096 at once."""
    for length in (0, 299, 300, 301, 5000):
        reading, writing = os.pipe()
        supervisor._tell(writing, RefusedStep("\U0001f600" * length))
        os.close(writing)
        line = read_all(reading)
        assert line.endswith(b"\n")
        assert len(line) <= 4096
        told = {"refused": "\U0001f600" * min(length, 300), "no_filter": False}
        assert json.loads(line) == told
        assert supervisor._told(piped(line + b'{"refused": "later"}\n')) == told
    assert supervisor._told(piped()) == {}


def test_the_channels_of_a_child_are_moved_away_from_standard_input_and_output(monkeypatch):
    """What it prints goes where its errors go; nothing of the package is left to it."""
    done = []
    modules = {"irmetrics_edu": 1, "irmetrics_edu.rows": 2, "json": 3, "my_irmetrics_edu": 4}
    fakes = {
        "closerange": lambda *given: done.append(("closerange", *given)),
        "dup": lambda fd: done.append(("dup", fd)) or 40 + fd,
        "open": lambda *given: done.append(("open", *given)) or 50,
        "dup2": lambda *given: done.append(("dup2", *given)),
        "close": lambda fd: done.append(("close", fd)),
        "devnull": "/dev/null",
        "O_RDWR": 2,
        "_exit": end,
    }
    fake_sys = SimpleNamespace(argv=["x", "y"], modules=modules, stderr=None)
    monkeypatch.setattr(supervisor, "os", SimpleNamespace(**fakes))
    monkeypatch.setattr(supervisor, "sys", fake_sys)
    monkeypatch.setattr(supervisor, "serve", lambda *given: done.append(("serve", *given)))
    supervisor.become_child()
    assert done == [
        ("closerange", 3, 256),
        ("dup", 0),
        ("dup", 1),
        ("open", "/dev/null", 2),
        ("dup2", 50, 0),
        ("dup2", 2, 1),
        ("close", 50),
        ("serve", 40, 41),
    ]
    assert fake_sys.argv == [""]
    assert modules == {"json": 3, "my_irmetrics_edu": 4}
    said = []

    def refuse(_fd):
        raise OSError("too many files")

    monkeypatch.setattr(supervisor.os, "dup", refuse)
    fake_sys.stderr = SimpleNamespace(write=said.append)
    with pytest.raises(EndedError) as ended:
        supervisor.become_child()
    assert (ended.value.args, said) == ((1,), ["too many files\n"])


def in_namespaces(monkeypatch, forks, *, answers, failing=None, root=False, status=0):
    """The steps of one side of entering namespaces, and how it ended."""
    done = []
    pipes = [(20, 21), (22, 23)]
    forks = iter(forks)

    def step(name, result=None):
        def taken(*given, **options):
            done.append((name, *given, *options.items()))
            if name == failing:
                raise RefusedStep("no")
            return result

        return taken

    fake = SimpleNamespace(
        pipe=lambda: pipes.pop(0),
        fork=lambda: next(forks),
        close=step("close"),
        write=step("write"),
        read=lambda fd, count: done.append(("read", fd, count)) or answers.pop(0),
        waitpid=lambda *given: done.append(("waitpid", *given)) or (given[0], status),
        waitstatus_to_exitcode=os.waitstatus_to_exitcode,
        _exit=end,
    )
    monkeypatch.setattr(supervisor, "os", fake)
    for name in ("die_with_parent", "call", "forbid_nested_namespaces", "map_users", "_tell"):
        monkeypatch.setattr(supervisor, name, step(name))
    monkeypatch.setattr(supervisor, "_first_inside", step("first_inside"))
    plan = {"root": root}
    try:
        found = supervisor._in_namespaces(plan, 8, 9)
    except EndedError as ended:
        found = ended.args
    except RefusedStep:
        found = "refused"
    return done, found


@rows(("status", "code"), [(0, 0), (3 << 8, 3), (9, 137), (15, 143), (255 << 8, 255)])
def test_a_process_enters_namespaces_is_mapped_and_starts_their_first(status, code):
    """It ends as that one ended: by a signal as a shell says it."""
    with pytest.MonkeyPatch.context() as patch:
        done, found = in_namespaces(patch, [0, 55], answers=[b"g"], status=status)
    assert found == (code,)
    assert done == [
        ("close", 21),
        ("close", 22),
        ("die_with_parent",),
        ("call", "unshare", NEW_NAMESPACES),
        ("write", 23, b"u"),
        ("read", 20, 1),
        ("forbid_nested_namespaces",),
        ("close", 20),
        ("close", 23),
        *(("close", fd) for fd in (0, 1, 2, 8, 9)),
        ("waitpid", 55, 0),
    ]


def test_who_is_not_mapped_or_refused_a_step_starts_nothing(monkeypatch):
    """A step that was refused is told of once, and the process ends."""
    done, found = in_namespaces(monkeypatch, [0], answers=[b""])
    assert found == (0,)
    assert done[-1] == ("read", 20, 1)
    for failing in ("die_with_parent", "call", "forbid_nested_namespaces"):
        done, found = in_namespaces(monkeypatch, [0], answers=[b"g"], failing=failing)
        assert found == (0,)
        assert [step[0] for step in done if step[0] in {failing, "_tell"}] == [failing, "_tell"]
        assert done[-1][:2] == ("_tell", 9)
    done, found = in_namespaces(monkeypatch, [0, 0], answers=[b"g"], failing="first_inside")
    assert done[-2:][0] == ("first_inside", {"root": False}, 8, 9)


@rows("root", [True, False])
@rows("answer", [b"u", b""])
def test_a_process_in_namespaces_is_mapped_from_outside_once_it_is_there(root, answer):
    """One that is gone is not; in any case it is let go."""
    for failing in (None, "map_users"):
        with pytest.MonkeyPatch.context() as patch:
            done, found = in_namespaces(patch, [66], answers=[answer], failing=failing, root=root)
        mapped = [("map_users", 66, ("root", root))] if answer else []
        went_on = [("write", 21, b"g")] if answer and not failing else []
        assert done == [
            ("close", 20),
            ("close", 23),
            ("read", 22, 1),
            *mapped,
            *went_on,
            ("close", 21),
            ("close", 22),
        ]
        assert found == ("refused" if answer and failing else 66)


# -- what all processes of a child use, by a made-up /proc


def processes_in(folder, tree, own=1):
    """Files of a made-up /proc for {pid: (parent, threads, ticks, kilobytes, swapped)}."""
    children = defaultdict(list)
    for pid, (parent, *_) in tree.items():
        children[parent].append(pid)
    for pid, (_, threads, ticks, kilobytes, swapped) in [
        *tree.items(),
        (own, (0, 1, [0] * 4, 0, 0)),
    ]:
        for thread in range(pid, pid + threads):
            place = folder / "proc" / str(pid) / "task" / str(thread)
            place.mkdir(parents=True)
            listed = children[pid] if thread == pid else []
            (place / "children").write_text("".join(f"{one} " for one in listed))
            held = f"VmPeak:\t 99999 kB\nVmRSS:\t  {kilobytes} kB\nVmSwap:\t {swapped} kB\n"
            (place / "status").write_text(f"Name:\tx\n{held}Threads:\t{threads}\n")
        # Of proc(5): 14 to 17 are times, 20 is the number of threads, counted from 1.
        fields = [str(900 + place) for place in range(1, 53)]
        fields[0], fields[1], fields[2] = str(pid), "(a ) (b)", "S"
        fields[13:17] = map(str, ticks)
        fields[19] = str(threads)
        (folder / "proc" / str(pid) / "stat").write_text(" ".join(fields))


TREE = {
    10: (1, 1, [5, 7, 11, 13], 100, 20),
    20: (1, 3, [100, 0, 0, 1], 3, 0),
    30: (10, 2, [0, 50, 0, 0], 0, 7),
    40: (30, 1, [1, 2, 3, 4], 1000, 0),
    50: (20, 1, [0, 0, 9, 0], 0, 0),
}


def test_what_all_processes_of_a_child_use_is_added_up(tmp_path, monkeypatch):
    """Threads, times with those of the children that were waited for, memory with swap."""
    processes_in(tmp_path, TREE)
    monkeypatch.setattr(supervisor, "Path", lambda place: tmp_path / place.removeprefix("/"))
    monkeypatch.setattr(supervisor.os, "getpid", lambda: 1)
    assert sorted(supervisor.descendants(1)) == [10, 20, 30, 40, 50]
    assert sorted(supervisor.descendants(10)) == [30, 40]
    assert supervisor.descendants(40) == []
    assert supervisor.descendants(99) == []
    hertz = os.sysconf("SC_CLK_TCK")
    ticks = sum(sum(one[2]) for one in TREE.values())
    threads = sum(one[1] for one in TREE.values())
    held = sum(one[3] + one[4] for one in TREE.values()) * 1024
    assert supervisor._usage() == (threads, pytest.approx(ticks / hertz), held)
    # A process of which there is no more than its place among the children.
    (tmp_path / "proc" / "20" / "stat").unlink()
    less = (threads - 3, pytest.approx((ticks - 101) / hertz), held - 3 * 1024)
    assert supervisor._usage() == less
    # A first thread that has ended has no lines of memory: the others tell.
    for pid, kilobytes in ((30, 7), (10, 0)):
        first = tmp_path / "proc" / str(pid) / "task" / str(pid) / "status"
        first.write_text("Name:\tx\nState:\tZ (zombie)\n")
        assert supervisor._held(pid) == kilobytes * 1024
    assert supervisor._held(99) == 0


# -- ending it


class Ending:
    """Processes that end when they are told to, and come to their end one look later."""

    def __init__(self, left, looks=1):
        self.left, self.looks, self.done = left, looks, []

    def waitpid(self, pid, how):
        """None left is an error; one that has ended is waited for."""
        self.done.append(("waitpid", pid, how))
        if self.left and self.looks <= 0:
            return self.left.pop(), 0
        if not self.left:
            raise ChildProcessError
        self.looks -= 1
        return 0, 0


@rows(("name", "linux"), [("user", True), ("plain", True), ("namespaces", True), ("plain", False)])
def test_all_processes_are_ended_again_until_none_is_left(name, linux):
    """By their user, by the tree, or by their group; one that has just ended is no error."""
    for count, looks in itertools.product((0, 1, 3), (0, 1, 4)):
        ending = Ending([*range(1, count + 1)], looks)
        ended, slept = [], []

        def kill(pid, number, ended=ended):
            ended.append((pid, number))
            raise ProcessLookupError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(supervisor, "_end_user", lambda uid, ended=ended: ended.append(uid))
            patch.setattr(supervisor, "descendants", lambda _pid: [5, 6])
            patch.setattr(supervisor.os, "kill", kill)
            patch.setattr(supervisor.os, "killpg", kill)
            patch.setattr(supervisor.os, "waitpid", ending.waitpid)
            patch.setattr(supervisor.sys, "platform", "linux" if linux else "darwin")
            patch.setattr(supervisor.time, "sleep", slept.append)
            supervisor._end_all({"tier": name, "uid": 9}, 77)
        times = looks + 1 if count else 1
        each = [(5, 9), (6, 9)] if linux else [(77, 9)]
        assert ended == (each if name != "user" else [9]) * times
        assert ending.left == []
        assert {step[1:] for step in ending.done} == {(-1, os.WNOHANG)}
        assert slept == [0.002] * (times - 1)


def test_processes_that_never_end_are_given_up_in_the_end(monkeypatch):
    """After two hundred times: the report is written all the same."""
    slept = []
    monkeypatch.setattr(supervisor, "_end_user", lambda _uid: None)
    monkeypatch.setattr(supervisor.os, "waitpid", lambda *_given: (0, 0))
    monkeypatch.setattr(supervisor.time, "sleep", slept.append)
    supervisor._end_all({"tier": "user", "uid": 9}, 77)
    assert len(slept) == 200


def test_all_processes_of_a_user_are_ended_by_one_that_becomes_the_user(monkeypatch):
    """All but itself; the supervisor waits for it."""
    done = []

    def kill(*given):
        done.append(("kill", *given))
        raise ProcessLookupError

    fake = SimpleNamespace(
        fork=lambda: 0,
        setresuid=lambda *given: done.append(("setresuid", *given)),
        kill=kill,
        waitpid=lambda *given: done.append(("waitpid", *given)),
        _exit=end,
    )
    monkeypatch.setattr(supervisor, "os", fake)
    with pytest.raises(EndedError) as ended:
        supervisor._end_user(9)
    assert ended.value.args == (0,)
    assert done == [("setresuid", 9, 9, 9), ("kill", -1, signal.SIGKILL)]
    fake.fork = lambda: 55
    supervisor._end_user(9)
    assert done[2:] == [("waitpid", 55, 0)]


# -- the fork server's side


def test_a_fork_server_forks_for_each_set_of_channels_until_the_other_side_is_gone(monkeypatch):
    """It says the number of each, lets go of its channels, and waits for those that have ended."""
    ours, theirs = socket.socketpair()
    given = [os.open(os.devnull, os.O_RDWR) for _ in range(4)]
    for _ in range(2):
        socket.send_fds(ours, [b"k"], given)
    pids, waits = iter([4711, 2**40]), [(3, 0), (4, 0), (0, 0), ChildProcessError()]
    done = []
    real_close = os.close

    def wait(*given):
        done.append(("waitpid", *given))
        found = waits.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(supervisor, "preload", lambda places: done.append(("preload", places)))
    monkeypatch.setattr(supervisor, "read_frame", lambda fd: {"numpy": "/n"} if fd == 0 else None)
    monkeypatch.setattr(supervisor.os, "dup2", lambda *given: done.append(("dup2", *given)))
    monkeypatch.setattr(supervisor.os, "waitpid", wait)
    monkeypatch.setattr(supervisor.os, "fork", lambda: next(pids))
    monkeypatch.setattr(supervisor.os, "_exit", end)
    closed = []
    monkeypatch.setattr(supervisor.os, "close", lambda fd: closed.append(fd) or real_close(fd))
    answers = []

    lines = []

    class Line(socket.socket):
        def __init__(self, **options):
            super().__init__(**options)
            lines.append(self)

        def sendall(self, data):
            answers.append(data)
            if len(answers) == 2:
                ours.close()

    monkeypatch.setattr(supervisor.socket, "socket", Line)
    with pytest.raises(EndedError) as ended:
        supervisor.serve_forks(theirs.detach())
    assert ended.value.args == (0,)
    assert answers == [(4711).to_bytes(8, "big"), (2**40).to_bytes(8, "big")]
    assert done[0] == ("preload", {"numpy": "/n"})
    assert done[1][2] == 0  # nothing is read from standard input
    assert [step for step in done if step[0] == "waitpid"] == [("waitpid", -1, os.WNOHANG)] * 4
    assert len(closed) == 8
    for fd in given:
        real_close(fd)
    lines[0].close()
    real_close(done[1][1])


@rows("count", [4, 5])
def test_a_supervisor_that_is_forked_has_its_own_channels_and_session(count):
    """The first three are its standard ones; to the fourth it reports, and nothing else is open."""
    done = []

    def keep(report):
        done.append(("keep", report))
        raise EndedError

    line = SimpleNamespace(close=lambda: done.append(("line",)))
    ends = [60, 61, 62, 63, 64][:count]
    fake = SimpleNamespace(
        open=lambda *given: done.append(("open", *given)) or 50,
        devnull="/dev/null",
        O_RDWR=2,
        WNOHANG=1,
        dup2=lambda *given: done.append(("dup2", *given)),
        close=lambda fd: done.append(("close", fd)),
        waitpid=lambda *_given: (0, 0),
        fork=lambda: 0,
        setsid=lambda: done.append(("setsid",)),
    )
    asked = []
    sockets = SimpleNamespace(
        socket=lambda fileno: asked.append(fileno) or line,
        recv_fds=lambda *given: asked.append(given[1:]) or (b"k", ends, 0, None),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "preload", lambda _places: None)
        patch.setattr(supervisor, "read_frame", lambda _fd: {})
        patch.setattr(supervisor, "os", fake)
        patch.setattr(supervisor, "socket", sockets)
        patch.setattr(supervisor, "keep", keep)
        with pytest.raises(EndedError):
            supervisor.serve_forks(8)
    assert asked == [8, (1, 4)]  # a byte, and the four ends that come with it
    assert done == [
        ("open", "/dev/null", 2),
        ("dup2", 50, 0),
        ("line",),
        ("close", 50),
        ("setsid",),
        *(step for n in range(3) for step in (("dup2", 60 + n, n), ("close", 60 + n))),
        ("keep", 63),
    ]


@rows("handles", [True, False])
def test_a_child_is_looked_at_fifty_times_a_second_until_it_ends(handles):
    """Or at once when it ends, where the system tells of that; the clock is that of the watch."""
    done, clock = [], itertools.count(1000)
    answers = [(0, 0), (0, 0), (7, 9)]
    fake = SimpleNamespace(
        waitpid=lambda *given: done.append(given) or answers.pop(0),
        WNOHANG=1,
        waitstatus_to_exitcode=os.waitstatus_to_exitcode,
    )
    if handles:
        fake.pidfd_open = lambda pid: done.append(("handle", pid)) or 5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(supervisor, "os", fake)
        patch.setattr(
            supervisor, "select", SimpleNamespace(select=lambda *given: done.append(given))
        )
        times = SimpleNamespace(
            monotonic=lambda: next(clock), sleep=lambda seconds: done.append(("sleep", seconds))
        )
        patch.setattr(supervisor, "time", times)
        patch.setattr(supervisor, "_usage", lambda: (0, 0.0, 0))
        limits = {"wall": 10.0, "cpu": 5.0, "memory": 1000, "processes": 4}
        plan = {"limits": limits, "tier": "plain"}
        found = supervisor._watch(7, plan, [], linux=True)
        assert found == {"status": -9, "cpu": 0.0, "most": 0}
        wait = ([5], [], [], 0.02) if handles else ("sleep", 0.02)
        look = (7, 1)
        assert done == [("handle", 7)] * handles + [look, wait, look, wait, look]
        # Elsewhere than on Linux nothing is counted, and the clock holds.
        patch.setattr(supervisor, "_usage", lambda: 1 / 0)
        answers[:] = [(0, 0)] * 20
        found = supervisor._watch(7, plan, [], linux=False)
        assert found == {"limit": "wall", "cpu": 0.0, "most": 0}
        assert len(answers) == 20 - 11


def test_what_is_waited_for_is_short_and_the_names_are_those_of_their_manuals():
    """A look each fiftieth of a second; a shell's 128 for a signal; umask 022."""
    assert (supervisor.TICK, supervisor.SIGNALLED, supervisor.UMASK) == (0.02, 128, 18)
    assert supervisor.LONGEST_REFUSAL == 300
    status = b"VmHWM: 9 kB\nVmRSS:\t   12 kB\nRssAnon: 5 kB\nVmSwap:  3 kB\nVmData: 7 kB\n"
    assert supervisor.HELD.findall(status) == [b"12", b"3"]
