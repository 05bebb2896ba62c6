(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const say = (name, parts = {}) => data.words[name].replace(/\{(\w+)\}/g, (_, hole) => parts[hole]);
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  // -- exact numbers: [numerator, denominator], the denominator above 0 -------------------------------------------------
  const fraction = ([n, d]) => [BigInt(n), BigInt(d)];
  const least = (a, b) => (a[0] * b[1] <= b[0] * a[1] ? a : b);
  const most = (a, b) => (a[0] * b[1] >= b[0] * a[1] ? a : b);
  const within = (x, [low, high]) => x[0] * low[1] >= low[0] * x[1] && x[0] * high[1] <= high[0] * x[1];
  const times = (a, b) => [a[0] * b[0], a[1] * b[1]];
  const plus = (a, b) => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]];
  const ZERO = [0n, 1n];
  // two places, half up; points are never negative
  const two = ([n, d]) => {
    const hundredths = (200n * n + d) / (2n * d);
    const text = String(hundredths).padStart(3, "0");
    return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, "");
  };

  // -- what people type ---------------------------------------------------------------------------------------------------
  const MOST = 60;
  const number = (typed, percent) => {
    if (typed.length > MOST) return { why: "long" };
    let text = typed
      .replace(/[\uFF01-\uFF5E]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .replace(/[−‐‑‒–﹣]/g, "-")
      .replace(/[\u00a0\u2007\u2009\u202f\u3000\t\n\r]/g, " ")
      .replace(/[\uFEFF\u2061]/g, "")
      .replace(/[÷⁄∕]/g, "/");
    // one number after a name, and digits in groups of three where the mark between them can be no decimal mark
    const named = /^([^=≈]*)[=≈]([^=≈]*)$/.exec(text);
    if (named && /^(\p{L}|$)/u.test(named[1].trim())) text = named[2];
    const grouped = (data.decimal === ","
      ? /^([^0-9.,]*)([1-9][0-9]{0,2}(?:\.[0-9]{3})+)(,[0-9]+)?([^0-9.,]*)$/
      : /^([^0-9.,]*)([1-9][0-9]{0,2}(?:,[0-9]{3})+)(\.[0-9]+)?([^0-9.,]*)$/).exec(text);
    if (grouped && (grouped[3] || grouped[2].length > 7)) {
      text = grouped[1] + grouped[2].replace(/[.,]/g, "") + (grouped[3] || "") + grouped[4];
    }
    text = text.trim();
    const mixed = /^([+-]?)([0-9]*)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])$/.exec(text);
    if (mixed) {
      const [top, bottom] = mixed[3].normalize("NFKC").split("⁄").map(BigInt);
      text = `${mixed[1]}${BigInt(mixed[2] || 0) * bottom + top}/${bottom}`;
    }
    if (data.decimal === ",") {
      if (text.includes(".")) return { why: "point" };
      text = text.replaceAll(",", ".");
    }
    if (text.includes(",")) return { why: "comma" };
    text = text.replace(/\s*\/\s*/g, "/").replace(/\s+(?=%)/g, "").replace(/^([+-])\s+/, "$1");
    if (!text) return { why: "empty" };
    let by = 1n;
    if (text.endsWith("%")) {
      if (!percent) return { why: "percent" };
      text = text.slice(0, -1);
      by = 100n;
    }
    if (/^[+-]?[1-9][0-9]{0,2}( [0-9]{3})+(\.[0-9]*)?$/.test(text)) text = text.replaceAll(" ", "");
    if (/[0-9.]\s+[0-9.]/.test(text)) return { why: "several" };
    const quotient = /^([+-]?)([0-9]+)\/([0-9]+)$/.exec(text);
    if (quotient) {
      if (BigInt(quotient[3]) === 0n) return { why: "zero" };
      const top = BigInt(quotient[2]);
      return { value: [quotient[1] === "-" ? -top : top, BigInt(quotient[3]) * by] };
    }
    const found = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
    if (!found || !(found[2] || found[3])) return { why: "no-number" };
    const exponent = Number(found[4] || 0);
    if (Math.abs(exponent) > MOST) return { why: "long" };
    const part = found[3] || "";
    const digits = BigInt(found[2] + part);
    const place = exponent - part.length;
    const scale = 10n ** BigInt(Math.abs(place));
    const top = (found[1] === "-" ? -digits : digits) * (place > 0 ? scale : 1n);
    return { value: [top, (place < 0 ? scale : 1n) * by] };
  };
  const letters = (typed, count) => {
    if (typed.length > 200) return { why: "letters-long" };
    const tidy = typed.normalize("NFKC").replace(/[\s,;.:、，；。()[\]→>\-–—]/g, "").toUpperCase();
    if (!tidy) return { why: typed.trim() ? "no-letter" : "empty" };
    const found = [...tidy].map((letter) => LETTERS.slice(0, count).indexOf(letter));
    return found.includes(-1) ? { why: "no-letter" } : { value: found };
  };

  const sayings = document.getElementById("sayings").children;
  const spoken = (at) => sayings[at].cloneNode(true);

  // -- marking a part: the points awarded, what kind of verdict, the sentence ------------------------------------------------
  const refused = (field, text, why) =>
    why === "empty" ? [] : [say("refused", { entry: field, text: text.slice(0, MOST), why: say(why) })];
  const judged = {
    numbers: (part, box) => {
      const fields = [...box.querySelectorAll("input")];
      const read = fields.map((field) => number(field.value, part.percent));
      const right = read.map((one, k) => Boolean(one.value) && within(one.value, part.entries[k].map(fraction)));
      const count = BigInt(right.filter(Boolean).length);
      fields.forEach((field, k) => {
        field.classList.toggle("right", right[k]);
        field.classList.toggle("wrong", !right[k] && read[k].why !== "empty");
        field.setAttribute("aria-invalid", String(!right[k] && read[k].why !== "empty"));
      });
      if (read.every((one) => one.why === "empty")) return { share: ZERO, kind: "other", lead: say("missing"), more: [] };
      const share = [count, BigInt(right.length)];
      if (right.every(Boolean)) return { share, kind: "right", lead: say("right"), more: [] };
      const more = read.flatMap((one, k) => (one.why ? refused(part.labels[k], fields[k].value, one.why) : []));
      const methods = part.wrongs.filter((wrong) =>
        read.every((one, k) => one.value && within(one.value, wrong.intervals[k].map(fraction))));
      if (methods.length) {
        const credit = methods.map((wrong) => fraction(wrong.credit)).reduce(least);
        const feedback = [...new Set(methods.map((wrong) => wrong.feedback))];
        return { share: most(share, credit), kind: "other", lead: say("misconception"), more: [...feedback.map(spoken), ...more] };
      }
      const lead = count ? say("partly", { right: String(count), count: String(right.length) }) : say("wrong");
      return { share, kind: count ? "other" : "wrong", lead, more };
    },
    choice: (part, box) => {
      const chosen = box.querySelector("input:checked");
      if (!chosen) return { share: ZERO, kind: "other", lead: say("missing"), more: [] };
      const at = Number(chosen.value);
      if (at === part.right) return { share: [1n, 1n], kind: "right", lead: say("right"), more: [] };
      const option = part.options[at];
      return { share: fraction(option.credit), kind: "wrong", lead: say("wrong"), more: option.feedback === null ? [] : [spoken(option.feedback)] };
    },
    order: (part, box) => {
      const field = box.querySelector("input");
      const read = letters(field.value, part.right.length);
      if (read.value && [...read.value].sort((a, b) => a - b).some((x, k) => x !== k || read.value.length !== part.right.length)) {
        read.why = "letters-not-once";
      }
      if (read.why === "empty") return { share: ZERO, kind: "other", lead: say("missing"), more: [] };
      if (read.why) return { share: ZERO, kind: "wrong", lead: say("wrong"), more: refused("", field.value, read.why) };
      const pairs = new Set(part.right.slice(1).map((x, k) => `${part.right[k]} ${x}`));
      const kept = read.value.slice(1).filter((x, k) => pairs.has(`${read.value[k]} ${x}`)).length;
      const share = [BigInt(kept), BigInt(pairs.size)];
      if (kept === pairs.size) return { share, kind: "right", lead: say("right"), more: [] };
      const lead = kept ? say("partly", { right: String(kept), count: String(pairs.size) }) : say("wrong");
      return { share, kind: kept ? "other" : "wrong", lead, more: [] };
    },
    text: () => ({ share: null, kind: "other", lead: say("hand"), more: [] }),
  };

  // -- the page -------------------------------------------------------------------------------------------------------------
  const awarded = data.questions.map(() => null);
  const total = document.getElementById("total");
  const whole = data.questions.flat().filter((part) => part.form !== "text").map((part) => fraction(part.points)).reduce(plus, ZERO);
  const forms = [...document.querySelectorAll("form.question")];
  forms.forEach((form, k) => {
    form.querySelector(".mark").hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      awarded[k] = data.questions[k].map((part, j) => {
        const box = form.querySelectorAll("fieldset.part")[j];
        const found = judged[part.form](part, box);
        const said = box.querySelector(".said");
        const points = found.share === null ? "" : say("points", {
          awarded: two(times(found.share, fraction(part.points))), points: two(fraction(part.points)),
        });
        const lead = document.createElement("b");
        lead.textContent = found.lead;
        said.className = `said ${found.kind}`;
        said.replaceChildren(lead, ...[points, ...found.more].filter(Boolean).flatMap((one) => [" ", one]));
        return found.share === null ? ZERO : times(found.share, fraction(part.points));
      }).reduce(plus, ZERO);
      const sum = awarded.filter(Boolean).reduce(plus, ZERO);
      total.textContent = say("total", { awarded: two(sum), points: two(whole) });
      total.hidden = false;
    });
  });
})();
