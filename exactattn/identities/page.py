"""The catalogue as a document, and as the list that a terminal shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exactattn.document import (
    Block,
    Display,
    Document,
    Grid,
    Inlines,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Row,
    Section,
    Strong,
    Table,
    Text,
    Token,
)
from exactattn.i18n import Messages, messages
from exactattn.identities.catalogue import CATALOGUE
from exactattn.identities.identity import Identity
from exactattn.identities.notation import LOGICAL, RELATIONS, items_of, lettered, lines, maths, sides
from exactattn.identities.proofs import Checked, Proof, check_n, checks, proofs

KINDS = ("P", "A", "D", "C")
LEGEND = {
    "scores": "s_1, dots, s_n",
    "sum": "z = sum_j e^(s_j)",
    "weights": "p_i = e^(s_i)/z",
    "logsumexp": "L = ln z",
    "largest": "m = max_j s_j",
    "values": "v_1, dots, v_n",
    "output": "o = sum_j p_j v_j",
}
"""What the letters mean, by the names in the sentence."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a machine found: proofs and checks, by the name of the row."""

    proofs: Mapping[str, Proof]
    checks: Mapping[str, Checked]

    @classmethod
    def at(cls, n: int) -> Found:
        """Every proof for n symbolic scores, and every check on the example. Raises OptionError for another n."""
        check_n(n)
        return cls({p.identity.name: p for p in proofs(n)}, {c.identity.name: c for c in checks()})

    @property
    def holds(self) -> bool:
        """Did all of it come out as it should?"""
        return all(proof.holds for proof in self.proofs.values()) and all(c.holds for c in self.checks.values())


def document(lang: str = "en", found: Found | None = None) -> Document:
    """Every row with its statement, proof, false twin, bound and source; what was proved by machine, without times."""
    words = messages(lang)
    blocks: list[Block] = [_legend(words), _contents(words), _kinds(words)]
    blocks += [_section(words, row, found) for row in CATALOGUE]
    running = words.say("identities.running")
    return Document(words.say("identities.title"), _meta(words), tuple(blocks), lang, (running, ()))


def listing(lang: str = "en", found: Found | None = None) -> Document:
    """Every row with its statement alone; what was proved by machine, and how long it took."""
    words = messages(lang)
    blocks: list[Block] = []
    for row in CATALOGUE:
        heading = (Strong((Text(f"{row.number}  {row.name}"),)), Text(f"  {_letters(row)}  {row.title(lang)}"))
        blocks += [Para(heading), Display(lines(*row.statement))]
        if found is not None:
            blocks.append(Para(_verdict(words, row, found, with_time=True)))
    return Document(words.say("identities.title"), _meta(words), tuple(blocks), lang)


def _meta(words: Messages) -> Inlines:
    proved = sum("P" in row.kinds for row in CATALOGUE)
    return words.say("identities.meta", count=str(len(CATALOGUE)), proved=str(proved))


def _legend(words: Messages) -> Para:
    return Para(lettered(words.say("identities.legend", **{name: Math(maths(text)) for name, text in LEGEND.items()})))


def _letters(row: Identity) -> str:
    return ", ".join(row.kinds)


# -- tables ----------------------------------------------------------------------------------------------------------


def _kinds(words: Messages) -> Table:
    rows = tuple(
        (
            (Text(kind),),
            lettered(words.say(f"identities.kind.{kind}")),
            (Math(Num(str(sum(kind in row.kinds for row in CATALOGUE)))),),
        )
        for kind in KINDS
    )
    head = words.say("identities.kinds"), words.say("identities.meaning"), words.say("identities.rows")
    return Table(head, rows, "llr", words.say("identities.kinds_caption"))


def _contents(words: Messages) -> Table:
    rows = tuple(
        ((Math(Num(str(row.number))),), (Text(row.name),), (Text(row.title(words.lang)),), (Text(_letters(row)),))
        for row in CATALOGUE
    )
    head = (
        words.say("identities.number"),
        words.say("identities.name"),
        words.say("identities.statement"),
        words.say("identities.kinds"),
    )
    return Table(head, rows, "rlll", words.say("identities.contents"))


# -- a row -----------------------------------------------------------------------------------------------------------


def _section(words: Messages, row: Identity, found: Found | None) -> Section:
    blocks: list[Block] = [Display(lines(*row.statement))]
    if where := row.said("where", words):
        blocks.append(Para((*words.say("identities.where"), *lettered(where))))
    reasons: list[Block] = [Para(lettered(row.said("proof", words)))]
    if row.derivation:
        reasons.append(Display(_derived(row.derivation)))
    heading = words.say("identities.convention") if row.kinds == ("C",) else words.say("identities.proof")
    blocks.append(Note("check", heading, tuple(reasons)))
    method = words.say(f"identities.methods.{row.method}") if row.method is not None else ()
    if found is None:
        blocks += [Para(words.say("identities.method", method=method))] if method else []
    elif method:
        blocks.append(Para(words.say("identities.machine", method=method, found=_verdict(words, row, found))))
    else:
        blocks.append(Para(_verdict(words, row, found)))
    if twin := row.said("twin", words):
        blocks.append(Para(words.say("identities.twin", twin=lettered(twin))))
    if bound := row.said("float", words):
        blocks.append(Para(words.say("identities.float", bound=bound)))
    if row.options:
        options = tuple(item for k, name in enumerate(row.options) for item in _listed(words, k, name))
        blocks.append(Para(words.say("identities.options", options=options)))
    if row.source:
        blocks.append(Para(words.say("identities.source", source=row.source)))
    return Section(
        (Text(str(row.number)),),
        (Text(row.title(words.lang)),),
        (Text(f"{row.name} · {_letters(row)}"),),
        tuple(blocks),
    )


def _derived(texts: tuple[str, ...]) -> Maths:
    """A derivation: a chain of equations broken at its relations, the left side once; other lines as they are."""
    rows: list[tuple[Maths, Maths]] = []
    for text in texts:
        parts: list[list[Maths]] = [[]]
        for item in items_of(maths(text)):
            if isinstance(item, Op) and item.name in RELATIONS:
                parts.append([])
            parts[-1].append(item)
        if len(parts) > 2 and parts[1][0] == Op("=") and not any(Op(name) in items_of(maths(text)) for name in LOGICAL):
            left, first, *others = (Row(tuple(part)) for part in parts)
            rows += [(left, first), *((Row(()), other) for other in others)]
        else:
            rows.append(sides(maths(text)))
    return Grid(tuple(rows), "lines")


def _listed(words: Messages, k: int, name: str) -> Inlines:
    return (*(words.say("identities.comma") if k else ()), Token(name))


def _verdict(words: Messages, row: Identity, found: Found, *, with_time: bool = False) -> Inlines:
    """What the machine found: a proof, a check, or both."""
    proof, checked = found.proofs.get(row.name), found.checks.get(row.name)
    if proof is not None:
        out = _proved(words, proof)
        out += words.say("identities.time", seconds=f"{proof.seconds:.3f}") if with_time else ()
    else:
        out = words.say("identities.nothing") if row.kinds == ("C",) else words.say("identities.by_hand")
    if checked is not None:
        count, wrong = str(checked.facts), str(len(checked.failing))
        kept = words.say("identities.checked", count=count)
        out += kept if checked.holds else words.say("identities.check_fails", count=count, failing=wrong)
    return lettered(out)


def _proved(words: Messages, proof: Proof) -> Inlines:
    n, count = str(proof.n), str(proof.claims)
    if proof.open:
        return words.say("identities.unproved", n=n, open=str(len(proof.open)), count=count)
    if not all(proof.twins_refused):
        return words.say("identities.twin_passed", n=n)
    return words.say("identities.proved", n=n, count=count)
