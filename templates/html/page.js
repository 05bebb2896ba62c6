(() => {
  const root = document.documentElement;
  const steps = [...document.querySelectorAll("details.step")];
  const tools = document.getElementById("tools");
  const last = () => steps.findLastIndex((step) => step.open);
  const show = (at) => {
    steps.forEach((step, i) => { step.open = i <= at; });
    steps[at].scrollIntoView({ block: "start" });
    steps[at].querySelector("summary").focus({ preventScroll: true });
  };
  const actions = {
    previous: () => show(Math.max(0, last() - 1)),
    next: () => show(last() >= steps.length - 1 ? 0 : last() + 1),
    all: () => steps.forEach((step) => { step.open = true; }),
    theme: () => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    },
  };
  for (const button of tools.querySelectorAll("button")) {
    button.addEventListener("click", actions[button.dataset.action]);
    button.hidden = steps.length === 0 && button.dataset.action !== "theme";
  }
  tools.hidden = false;
  let open = [];
  addEventListener("beforeprint", () => {
    open = steps.map((step) => step.open);
    actions.all();
  });
  addEventListener("afterprint", () => steps.forEach((step, i) => { step.open = open[i]; }));
})();
