"""One document that uses every kind of node and every shape, in Chinese and in English, for every writer's tests."""

from __future__ import annotations

import pytest

from exactattn.document import (
    Arrow,
    Bar,
    Blank,
    Block,
    Box,
    BoxLine,
    Cell,
    Display,
    Document,
    Fence,
    Figure,
    Frac,
    Frame,
    Grid,
    Inline,
    Inlines,
    Label,
    Line,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    PageBreak,
    Para,
    Picture,
    Root,
    Row,
    Script,
    Section,
    Shape,
    Side,
    Strong,
    Sym,
    Table,
    Text,
    Token,
    Wide,
    Word,
)

TOKENS = ("今天", "西安", "的", "天气", "怎么样", "？")
WEIGHTS = (
    ("0.213", "0.086", "0.111", "0.095", "0.038", "0.457"),
    ("0.146", "0.090", "0.087", "0.223", "0.259", "0.195"),
    ("0.174", "0.080", "0.084", "0.202", "0.172", "0.288"),
    ("0.140", "0.194", "0.189", "0.087", "0.074", "0.316"),
    ("0.073", "0.290", "0.207", "0.095", "0.207", "0.128"),
    ("0.369", "0.093", "0.148", "0.173", "0.054", "0.162"),
)
OUTPUT = (
    ("0.463", "-0.286", "0.625", "-0.530"),
    ("0.264", "-0.506", "0.214", "0.407"),
    ("0.374", "-0.462", "0.347", "0.098"),
    ("0.039", "-0.180", "0.693", "-0.363"),
    ("-0.334", "-0.159", "0.560", "0.098"),
    ("0.211", "-0.621", "0.730", "0.045"),
)
SCORES = ("-0.40", "-1.36", "-1.44", "0.45", "0.75", "0.18")
EXPS = ("0.5615", "0.3475", "0.3338", "0.8598", "1.0000", "0.7529")
Q, K, V, A, O = (Sym(letter, "bold") for letter in "QKVAO")
DK = Script(Sym("d"), Sym("k"))
KT = Script(K, None, Sym("T", "upright"))


def row(*items: Maths) -> Row:
    return Row(items)


def math(*items: Maths) -> Math:
    return Math(Row(items))


def largest(texts: tuple[str, ...]) -> int:
    return max(range(len(texts)), key=lambda j: float(texts[j]))


def marked(texts: tuple[str, ...]) -> tuple[Maths, ...]:
    top = largest(texts)
    return tuple(Mark("max", Num(t)) if j == top else Num(t) for j, t in enumerate(texts))


def spread(items: tuple[Maths, ...], op: str) -> Row:
    out: list[Maths] = []
    for item in items:
        out += [Op(op), item] if out else [item]
    return Row(tuple(out))


def formula() -> Display:
    return Display(
        row(
            Sym("Attention", "upright"),
            Fence("(", row(Q, Op(","), K, Op(","), V), ")"),
            Op("="),
            Sym("Softmax", "upright"),
            Fence("(", Frac(row(Q, KT), Root(DK)), ")"),
            V,
        )
    )


def softmax() -> Display:
    def power(letter: str) -> Script:
        return Script(Sym("e"), None, row(Script(Sym("x"), Sym(letter)), Op("-"), Sym("m")))

    total = Script(Op("sum"), row(Sym("j"), Op("="), Num("1")), Num("6"))
    return Display(
        row(
            Script(Sym("a"), Sym("i")),
            Op("="),
            Frac(power("i"), row(total, power("j"))),
            Op(","),
            Op("quad"),
            Sym("m"),
            Op("="),
            Script(Op("max"), Sym("j")),
            Script(Sym("x"), Sym("j")),
            Op("="),
            Num("0.38"),
        )
    )


def derivation() -> Display:
    terms = tuple(
        row(Num(a), Op("times"), Fence("(", Num(v), ")") if v.startswith("-") else Num(v))
        for a, v in zip(WEIGHTS[1], ("0.508", "-1.301", "-1.096", "0.666", "0.120", "1.138"), strict=True)
    )
    left = Script(Sym("o"), row(Word("西安"), Op(","), Num("1")))
    none = Op("none")
    total = Script(Op("sum"), row(Sym("j"), Op("="), Num("1")), Num("6"))
    weight = Script(Sym("a"), row(Word("西安"), Op(","), Sym("j")))
    products = row(Num("0.0740"), Op("-"), Num("0.1173"), Op("-"), Num("0.0949"), Op("+"), Num("0.1485"), Op("dots"))
    return Display(
        Grid(
            (
                (left, row(Op("="), total, weight, Op("thin"), Script(Sym("v"), row(Sym("j"), Num("1"))))),
                (none, row(Op("approx"), spread(terms[:3], "+"))),
                (none, row(Op("quad"), Op("+"), spread(terms[3:], "+"))),
                (none, row(Op("approx"), Mark("doubt", products))),
                (none, row(Op("approx"), Mark("answer", Num("0.264")))),
            ),
            "lines",
        )
    )


def labelled(letter: Sym, texts: tuple[tuple[str, ...], ...], head: tuple[Maths, ...] = ()) -> Display:
    rows = tuple((Word(token), *marked(line)) for token, line in zip(TOKENS, texts, strict=True))
    return Display(row(letter, Op("="), Grid(rows, "labelled", head)))


def every_operator() -> Para:
    names = (
        "=",
        "approx",
        "<",
        "to",
        "+",
        "-",
        "times",
        "cdot",
        "/",
        "div",
        ",",
        "dots",
        "quad",
        "thin",
        "none",
        "sum",
        "max",
    )
    items: list[Inline] = []
    for name in names:
        items += [math(Sym("a"), Op(name), Sym("b")), Text(" ")]
    return Para(tuple(items))


def dotted() -> Display:
    n = Num("1.5e-7")
    return Display(
        row(
            Grid(
                (
                    (n, Op("dots"), Num("-2.25e12")),
                    (Op("vdots"), Op("ddots"), Op("vdots")),
                    (Mark("open", Num("0")), Op("dots"), Num("-3")),
                ),
                "matrix",
            ),
            Op("quad"),
            Sym("Σ", "upright"),
            Op("="),
            Blank(6),
            Op("quad"),
            Frac(Num("1"), row(Num("1"), Op("+"), Script(Sym("e"), None, row(Op("-"), Frac(Num("1"), Num("5")))))),
        )
    )


def softmax_table(words: dict[str, str]) -> Table:
    def line(name: str, symbol: Maths, texts: tuple[str, ...]) -> tuple[Inlines, ...]:
        return ((Text(words[name]),), (Math(symbol),), *((Math(item),) for item in marked(texts)))

    x = Script(Sym("x"), Sym("j"))
    power = Script(Sym("e"), None, row(x, Op("-"), Sym("m")))
    total = row(spread(tuple(map(Num, EXPS)), "+"), Op("="), Mark("answer", Num("3.8555")))
    return Table(
        ((Text(words["step"]),), (), *((Token(t),) for t in TOKENS)),
        (
            line("scores", Script(Sym("s"), Sym("j")), SCORES),
            line("exps", power, EXPS),
            ((Text(words["sum"]),), (Math(Sym("Σ", "upright")),), Wide(6, (Math(total),))),
        ),
        "ll" + "r" * 6,
        (Text(words["table"]), Token("西安")),
        (line("weights", row(Script(Sym("a"), Sym("j")), Op("="), power, Op("/"), Sym("Σ", "upright")), WEIGHTS[1]),),
    )


def heatmap(size: float = 12, palette: str = "weight") -> Picture:
    left, top, low = 16.0, 8.0, 8.0
    shapes: list[Shape] = []
    for i, texts in enumerate(WEIGHTS):
        y = top + low * i
        for j, text in enumerate(texts):
            tint = round(float(text) / 0.457 * 100) if palette == "weight" else round((float(text) - 0.15) * 300)
            tint = max(-100, min(100, tint))
            place = (left + size * j, y, size, low)
            strong = j == largest(texts)
            if palette == "weight":
                shapes.append(Cell(*place, tint, "weight", text, strong, f"{TOKENS[i]} → {TOKENS[j]}: {text}"))
            else:
                shapes.append(Cell(*place, tint, "score", f"-{text}" if tint < 0 else text, strong))
    for i, texts in enumerate(WEIGHTS):
        shapes.append(Frame(left + size * largest(texts), top + low * i, size, low))
        shapes.append(Label(left - 1.5, top + low * (i + 0.5), (Token(TOKENS[i]),), "end"))
        shapes.append(Label(left + size * (i + 0.5), top - 3.5, (Token(TOKENS[i]),)))
    bar = left + 6 * size + 3
    for k in range(12):
        shapes.append(Cell(bar, top + 4 * k, 2.2, 4, 100 - 9 * k, "weight"))
    shapes.append(Line(bar + 2.2, top, bar + 3, top))
    shapes.append(Label(bar + 4, top, (Math(Num("0.46")),), "start", "tiny"))
    shapes.append(Label(bar + 4, top + 48, (Math(Num("0.00")),), "start", "tiny"))
    return Picture(bar + 12, top + 50, tuple(shapes), "heatmap")


def pipeline(words: dict[str, str]) -> Picture:
    shapes: list[Shape] = [
        Box(2, 14, 10, 7, (BoxLine((Math(Q),)),), "io"),
        Box(2, 24, 10, 7, (BoxLine((Math(K),)),), "io"),
        Box(118, 2, 10, 7, (BoxLine((Math(V),)),), "io"),
        Box(154, 19, 10, 7, (BoxLine((Math(O),)),), "io"),
        Arrow(((12, 17.5), (20, 17.5))),
        Arrow(((12, 27.5), (20, 27.5))),
        Arrow(((123, 9), (123, 14))),
    ]
    for k, (name, body) in enumerate(
        (
            ("score", row(Q, KT)),
            ("scale", row(Op("div"), Root(DK), Op("="), Num("2"))),
            ("softmax", row(Script(Sym("e"), None, Script(Sym("x"), Sym("j"))), Op("/"), Sym("Σ", "upright"))),
            ("mix", row(A, V)),
        )
    ):
        x = 20.0 + 30 * k
        heading = BoxLine((Text(words[name]),), "heading")
        shapes.append(Box(x, 14, 26, 17, (heading, BoxLine((Math(body),)), BoxLine((Text(words["small"]),), "muted"))))
        shapes.append(Arrow(((x + 26, 22.5), (x + (30 if k < 3 else 44), 22.5))))
    shapes.append(Box(20, 36, 56, 9, (BoxLine((Text(words["part"]), math(Sym("n"), Op("="), Num("6")))),), "part"))
    shapes.append(Arrow(((76, 40.5), (110, 40.5), (110, 31))))
    return Picture(166, 47, tuple(shapes), words["pipeline"])


def chart(words: dict[str, str]) -> Picture:
    shapes: list[Shape] = []
    for k in range(5):
        shapes.append(Line(16, 44 - 9 * k, 160, 44 - 9 * k, "grid"))
        shapes.append(Label(14.5, 44 - 9 * k, (Math(Num(f"0.{2 * k}")),), "end", "small"))
    for j, (before, after) in enumerate(zip(WEIGHTS[5], WEIGHTS[0], strict=True)):
        x = 20.0 + 24 * j
        for value, at, role in ((before, x, "first"), (after, x + 7, "second")):
            high = float(value) * 45
            shapes.append(Bar(at, 44 - high, 6, high, "first" if role == "first" else "second"))
            shapes.append(Label(at + 3, 42.3 - high, (Math(Num(value)),), "middle", "tiny"))
        shapes.append(Label(x + 6.5, 48, (Token(TOKENS[j]),)))
    shapes += [
        Line(16, 44, 160, 44),
        Bar(24, 3, 3, 3, "positive"),
        Label(28.5, 4.5, (Text(words["after"]),), "start", "small"),
        Bar(50, 3, 3, 3, "negative"),
        Label(54.5, 4.5, (Text(words["before"]),), "start", "muted"),
        Label(120, 4.5, (Text(words["after"]),), "start", "strong"),
        Line(16, 51.5, 160, 51.5, "rule"),
    ]
    return Picture(166, 52, tuple(shapes), words["chart"])


WORDS = {
    "zh": {
        "title": "注意力手算完整解答：",
        "running": "注意力手算 · 完整解答",
        "sentence": "句子「今天西安的天气怎么样？」",
        "count": "　词数 ",
        "problem": "题目",
        "given": "已知「西安」的查询与六张名片的点积分数，求注意力权重，以及新向量的第 1 维。",
        "first": "第一步",
        "score": "① 打分",
        "second": "第二步",
        "scale": "② 缩放",
        "softmax": "③ Softmax",
        "mix": "④ 加权",
        "small": "每行和为 1",
        "part": "打分→缩放→归一 ",
        "aside": "一行对一行的点积",
        "each": "每张查询单与每张名片做点积，红框标出每行最大值；本题只用 ",
        "line": " 一行（第 2 行）：",
        "pipeline": "注意力的四步流水线",
        "heat": "注意力权重的热力图（每行和为 1）",
        "note": "注：原文只印出一行；其余各行取自一组与全部印刷数值相容的 Q、K。",
        "chart": "「今天」行的权重：缩放前后对比",
        "before": "不缩放",
        "after": "缩放",
        "step": "步骤",
        "scores": "① 分数",
        "exps": "③ 取指数",
        "sum": "求和",
        "weights": "④ 相除",
        "table": "Softmax 四步手算：",
        "check": "核对",
        "checked": "③以下各行用未舍入的分数计算。最大权重落在「怎么样」。",
        "rounding": "舍入",
        "rounded": "第二行若照印出的三位小数直接算，得 0.2632；第三行的乘积用未舍入的权重算，合计 0.2637。",
        "heads": "两个头",
        "head": "头的注意力权重",
        "answer": "答案",
        "vector": "新向量",
        "key": "参考答案",
        "strong": "先减去最大值",
        "rest": "（结果不变，避免溢出），再取指数、求和、相除：",
    },
    "en": {
        "title": "Attention worked by hand: ",
        "running": "Attention by hand · worked solution",
        "sentence": "Sentence “今天西安的天气怎么样？”",
        "count": ",  tokens ",
        "problem": "Problem",
        "given": "Given the scores of one query against six keys, find its weights and the first entry of its output.",
        "first": "Step 1",
        "score": "① Score",
        "second": "Step 2",
        "scale": "② Scale",
        "softmax": "③ Softmax",
        "mix": "④ Mix",
        "small": "each row adds to 1",
        "part": "score → scale → softmax ",
        "aside": "one dot product for each pair",
        "each": "Each query meets each key; a red frame marks the largest entry of a row. Here we need only ",
        "line": " (row 2):",
        "pipeline": "Attention in four steps",
        "heat": "Attention weights (each row adds to 1)",
        "note": "Note: the article prints one row only; the others agree with every printed number.",
        "chart": "Weights of one row with and without scaling",
        "before": "unscaled",
        "after": "scaled",
        "step": "Step",
        "scores": "① scores",
        "exps": "③ exponentials",
        "sum": "sum",
        "weights": "④ weights",
        "table": "Softmax in four steps: ",
        "check": "Check",
        "checked": "From ③ on, unrounded scores are used. The largest weight isn't the first one.",
        "rounding": "Rounding",
        "rounded": "The printed digits of the second line give 0.2632; the unrounded products add to 0.2637.",
        "heads": "Two heads",
        "head": "Weights of one head",
        "answer": "Answer",
        "vector": "Output",
        "key": "Key",
        "strong": "subtract the maximum first",
        "rest": " (the result is the same and nothing overflows), then exponentiate, add, divide:",
    },
}


def document(lang: str) -> Document:
    """Every node and every shape at least once; the words in the given language."""
    words = WORDS[lang]
    token = Token("西安")

    def text(name: str) -> tuple[Inline, ...]:
        return (Text(words[name]),)

    def figure(name: str, picture: Picture, caption: str, note: Inlines = ()) -> Figure:
        return Figure(name, picture, text(caption), note)

    row_of_scores = Display(
        row(
            Script(Sym("s", "bold"), Word("西安")),
            Op("="),
            Fence("[", spread(marked(SCORES), ","), "]"),
        )
    )
    head = tuple(Script(Sym("d"), Num(str(k + 1))) for k in range(4))
    blocks: tuple[Block, ...] = (
        Note("problem", text("problem"), (Para(text("given")), formula())),
        figure("pipeline", pipeline(words), "pipeline"),
        Section(
            text("first"),
            (Text(words["score"] + " "), math(Q, KT)),
            text("aside"),
            (
                Para((*text("each"), token, *text("line"))),
                row_of_scores,
                figure("scores", heatmap(12, "score"), "heat", text("note")),
                softmax_table(words),
                Note("check", text("check"), (Para(text("checked")),)),
                labelled(A, WEIGHTS),
                figure("chart", chart(words), "chart"),
            ),
        ),
        Section(
            text("second"),
            text("mix"),
            (math(Op("div"), Root(DK)),),
            (
                Para((Strong(text("strong")), *text("rest"))),
                softmax(),
                derivation(),
                Note("warning", text("rounding"), (Para(text("rounded")),)),
                labelled(O, OUTPUT, head),
                Side(
                    (
                        figure("head-1", heatmap(8.5), "head"),
                        figure("head-2", heatmap(8.5, "score"), "head"),
                    )
                ),
                every_operator(),
                dotted(),
            ),
        ),
        Note(
            "answer",
            text("answer"),
            (
                Para((Strong(text("vector")), Text("  "), math(Fence("[", spread(marked(OUTPUT[1]), ","), "]")))),
                Para((Token("a b"), Text(" & "), Token("</script>"), Text(" "), Token(r"\input{x}"), Text(" 100 %"))),
            ),
        ),
        PageBreak(),
        Para((Strong(text("key")), Text("  "), math(Sym("a"), Op("<"), Sym("b")))),
    )
    return Document(
        (*text("title"), token),
        (*text("sentence"), *text("count"), math(Sym("n"), Op("="), Num("6"))),
        blocks,
        lang,
        (text("running"), (token,)),
    )


@pytest.fixture
def sample() -> Document:
    """Every node and shape, in Chinese."""
    return document("zh")


@pytest.fixture
def sample_en() -> Document:
    """Every node and shape, in English."""
    return document("en")
