"""The audit as a page: the first error and its cause on top, the example as printed, each doubtful number explained."""

from __future__ import annotations

from exactattn.audits.examine import Judged
from exactattn.audits.marks import FalseMark
from exactattn.audits.page import Page, as_printed, beside, counted, interval, key, short, together
from exactattn.audits.quantities import sections
from exactattn.audits.result import Audit
from exactattn.document import Block, Document, Inlines, Math, Note, Num, Para, Strong, Text
from exactattn.i18n import messages
from exactattn.trace.problem import QUANTITIES

MOST_IDENTITIES = 6
"""Refuted identities told one by one."""


def report(audit: Audit, lang: str = "en") -> Document:
    """The document tree of an audit."""
    page = Page(audit, messages(lang))
    blocks: list[Block] = [
        _summary(page),
        *_said(page),
        counted(page.words, page.audit.totals),
        *sections(page),
        *_identities(page),
        *_digits(page),
    ]
    title = audit.case.title or audit.case.id
    return Document(
        page.say("title", title=title), _meta(page), tuple(blocks), lang, (page.say("running"), (Text(audit.case.id),))
    )


def _meta(page: Page) -> Inlines:
    count = len(page.audit.examined.judged)
    out = page.say("meta", count=str(count))
    if page.audit.case.source:
        out += page.say("source", source=page.audit.case.source)
    return out


# -- on top ------------------------------------------------------------------------------------------------------------


def _summary(page: Page) -> Note:
    audit = page.audit
    if audit.cause is None:
        kind = "right" if audit.passes() else "beside"
        return Note("check" if audit.passes() else "warning", page.say("verdict"), (page.para(f"summary.{kind}"),))
    first = audit.cause.first
    blocks: list[Block] = [Para((*page.say("summary.first"), *_error(page, first)))]
    methods = audit.cause.methods
    if methods:
        said = [page.words.say(f"misconception.{one.name}.said") for one in methods[0]]
        blocks.append(Para((*page.say("summary.cause"), *page.listed(said), page.stop())))
    elif audit.cause.slips:
        said = [page.words.say(f"slip.{name}.said") for name in audit.cause.slips]
        blocks.append(Para((*page.say("summary.slip"), *page.listed(said), page.stop())))
    else:
        blocks.append(page.para("summary.unknown"))
    if len(methods) > 1:
        others = [together(page.words, rows) for rows in methods[1:6]]
        blocks.append(Para((*page.say("summary.also"), *page.listed(others), page.stop())))
    if audit.cause.others:
        blocks.append(Para((*page.say("summary.second"), *_error(page, audit.cause.others[0]))))
    return Note("warning", page.say("verdict"), tuple(blocks))


def _error(page: Page, one: Judged) -> Inlines:
    """Where it stands, what is printed there, and what is true."""
    place = page.place(one.name, one.head, one.row, (one.column,))
    return (Strong(place), *_against(page, one), page.stop())


def _against(page: Page, one: Judged) -> Inlines:
    """Printed this, while the true value is that."""
    parts = page.say("printed", number=Math(as_printed(one.number)))
    if one.true is not None:
        parts += page.say("true", number=beside(one.true, one.number))
    return parts


# -- beside the numbers --------------------------------------------------------------------------------------------------


def _said(page: Page) -> list[Block]:
    """Wrong marks and wrong claims."""
    blocks: list[Block] = []
    if page.audit.marks:
        blocks.append(Note("warning", page.say("marks"), tuple(_mark(page, mark) for mark in page.audit.marks)))
    claims: list[Block] = [
        page.para(
            "claim",
            place=page.place(one.name, None, one.row),
            sum=Math(Num(short(one.sum))),
            claimed=Math(Num(short(one.claimed))),
        )
        for one in page.audit.claims
    ]
    if claims:
        blocks.append(Note("warning", page.say("claims"), tuple(claims)))
    return blocks


def _mark(page: Page, mark: FalseMark) -> Block:
    tokens = page.column_tokens(mark.name)
    largest = [
        page.say("at", column=page.named(tokens, j)) + _number_at(page, mark.name, mark.row, j) for j in mark.largest
    ]
    place = page.place(mark.name, None, mark.row, (mark.column,)) + _number_at(page, mark.name, mark.row, mark.column)
    return page.para("mark", place=place, largest=page.listed(largest, "comma"))


def _number_at(page: Page, name: str, i: int, j: int) -> Inlines:
    """What is printed there, in brackets."""
    found = page.audit.examined.at((name, None, i, j))
    return () if found is None else page.say("bracketed", number=Math(as_printed(found.number)))


def _identities(page: Page) -> list[Block]:
    refuted = page.audit.refuted
    if not refuted:
        return []
    items: list[Block] = [page.para("identities.lead")]
    for one in refuted[:MOST_IDENTITIES]:
        said = page.say(
            f"identities.{key(one.identity)}", claimed=Math(interval(one.claimed)), due=Math(interval(one.due))
        )
        where = page.place(one.name, one.head, one.row, one.columns)
        items.append(Para((Strong(where), Text(page.words.text("audit.colon")), *said, page.stop())))
    if len(refuted) > MOST_IDENTITIES:
        items.append(page.para("more", count=str(len(refuted) - MOST_IDENTITIES)))
    return [Note("warning", page.say("identities.title"), tuple(items))]


def _digits(page: Page) -> list[Block]:
    """The fewest decimals with which every line would reproduce."""
    found = page.audit.digits
    if found is None:
        return []
    order = sorted(found.places.items(), key=lambda item: QUANTITIES.index(item[0]))
    each = [
        (*page.words.say(f"solution.name.{name}"), Text(f" {count}"))
        for name, count in order
        if name not in found.missing
    ]
    said: list[Block] = [Para((*page.say("digits"), *page.listed(each), page.stop()))]
    if found.missing:
        missing = page.listed([page.words.say(f"solution.name.{name}") for name in found.missing], "comma")
        said.append(Para(page.words.say("solution.problem.no_places", names=missing)))
    return [Note("check", page.say("digits_title"), tuple(said))]
