"""The conversation with a child: the questions, and which replies count as answers."""

import secrets
from collections.abc import Sequence
from typing import Any

from irmetrics_edu.classroom.grading.limits import NAMES, Limits
from irmetrics_edu.classroom.grading.outcome import Answer, Case, Raised
from irmetrics_edu.classroom.grading.plain_values import NotPlain, unpack
from irmetrics_edu.classroom.grading.protocol import Channel, Gone, Tampered, TooLong


class Conversation:
    """The questions and answers, up to the point where the child stopped answering properly."""

    def __init__(self, channel: Channel, limits: Limits) -> None:
        self.channel, self.limits = channel, limits
        self.cell_errors: list[Raised] = []
        self.answers: list[Answer] = []
        self.limit, self.ended = "", ""
        self.gone = self.tampered = self.began = False

    def hold(self, cases: Sequence[Case]) -> None:
        """Ask for each case in turn, and keep what comes back."""
        try:
            reply = self.channel.receive()
            self.began = True
            self._read_cells(reply)
            for case in cases:
                word = secrets.token_hex(16)
                self.channel.expect_nothing()
                self.channel.send({"word": word, "inputs": case.packed})
                self.answers.append(self._read_answer(self.channel.receive(), word))
        except Gone:
            self.gone = True
        except TooLong:
            self.limit = "answer"
        except Tampered as error:
            self.tampered = True
            self.ended = f"the code wrote on the grader's private channel: {error}"

    def _read_cells(self, reply: dict[str, Any]) -> None:
        errors = reply.get("cells")
        if set(reply) != {"cells"} or not isinstance(errors, list):
            raise Tampered("a message of another form")
        self.cell_errors = [self._read_error(error) for error in errors]

    def _read_answer(self, reply: dict[str, Any], word: str) -> Answer:
        if reply.pop("word", None) != word or len(reply) != 1:
            raise Tampered("an answer without the word that goes with the question")
        [(kind, content)] = reply.items()
        if kind == "value":
            if len(repr(content)) > self.limits.answer:
                raise TooLong
            try:
                return Answer(given=True, value=unpack(content))
            except (NotPlain, RecursionError) as error:
                return Answer(why=str(error) or "the value is nested too deep")
        if kind == "error":
            return Answer(error=self._read_error(content))
        if kind == "missing":
            return Answer(why=f"no {str(content)[:100]!r} is defined")
        if kind == "refused":
            return Answer(why=str(content)[:500])
        raise Tampered("a message of another form")

    def _read_error(self, error: Any) -> Raised:
        wants = {"type": str, "message": str, "cell": int, "line": int, "text": str, "limit": str}
        if (
            not isinstance(error, dict)
            or set(error) != set(wants)
            or not all(isinstance(error[name], kind) for name, kind in wants.items())
            or error["limit"] not in {"", *NAMES}
        ):
            raise Tampered("an error of another form")
        limit = error.pop("limit")
        self.limit = self.limit or limit
        return Raised(**error)
