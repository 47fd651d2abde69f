// Swagger UI over /openapi.json. `validatorUrl` null: nothing is sent to anybody but this service.

import { element, fillWhenOpened } from "./more.js";
import { samplesOf } from "./samples.js";

// Marks the operations that extend the published specification. The licence is explained in the text: Swagger UI would
// link its identifier to a list that does not have it.
const ownView = () => ({
  wrapComponents: {
    License: () => () => null,
    // What is said of the whole is long: the operations come within one screen, and it opens above them.
    InfoContainer: (Info, system) => (props) => {
      const { createElement } = system.React;
      return createElement("details", { className: "about" }, createElement("summary", null, "About this API: how to sign in, errors, limits"), createElement(Info, props));
    },
    ServersContainer: () => () => null, // there is one: the service that serves this page
    Webhooks: () => () => null, // nobody calls them: they have a list of their own below
    parameters: (Parameters, system) => (props) => {
      const { createElement, Fragment } = system.React;
      const [path, method] = props.pathMethod;
      const operation = system.specSelectors.specJson().getIn(["paths", path, method]).toJS();
      const samples = Object.entries(samplesOf({ origin: location.origin, path, method, operation }));
      const shown = samples.map(([language, code]) => createElement(Fragment, { key: language }, createElement("h5", null, language), createElement("pre", { className: "sample", tabIndex: 0 }, code)));
      return createElement(Fragment, null, createElement("details", { className: "samples" }, createElement("summary", null, "The same call in curl, Python and TypeScript"), shown), createElement(Parameters, props));
    },
    // The path of an operation is a link inside of the button that opens it: two controls in one. Opening it sets the address.
    DeepLink: (Link, system) => (props) =>
      props.path.includes("/") ? system.React.createElement("span", null, props.text) : system.React.createElement(Link, props),
    OperationSummaryPath: (Path, system) => (props) => {
      const { createElement, Fragment } = system.React;
      const isExtension = system.specSelectors.specJson().getIn([...props.specPath.toJS(), "x-extension"]);
      const mark = createElement(
        "span",
        {
          className: "extension-mark",
          title: "This operation extends the published specification.",
          style: { border: "1px solid", borderRadius: "3px", fontSize: "12px", margin: "0 8px", padding: "1px 5px" },
        },
        "extension",
      );
      return createElement(Fragment, null, createElement(Path, props), isExtension ? mark : null);
    },
  },
});

// Swagger UI is dark by a class; the page follows the reader's system.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

// Swagger UI names no choice, and no key reaches what scrolls sideways.
const complete = () => {
  for (const choice of document.querySelectorAll("select:not([aria-label], [id])")) {
    choice.setAttribute("aria-label", choice.closest("tr[data-param-name]")?.dataset.paramName ?? "Example");
  }
  for (const example of document.querySelectorAll("pre:not([tabindex])")) example.tabIndex = 0;
};
new MutationObserver(complete).observe(document.getElementById("docs"), { childList: true, subtree: true });

// The operations at the side, by their groups; what is typed narrows them.
const METHODS = ["get", "put", "post", "patch", "delete"];

const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ method, path, ...item[method], tag: item[method].tags[0] })),
  );

const open = ({ tag, operationId }) => {
  window.ui.layoutActions.show(["operations-tag", tag], true);
  window.ui.layoutActions.show(["operations", tag, operationId], true);
  const id = `operations-${tag.replaceAll(" ", "_")}-${operationId}`;
  setTimeout(() => document.getElementById(id)?.scrollIntoView({ block: "start" }), 50);
};

const listed = (operations) =>
  [...Map.groupBy(operations, ({ tag }) => tag)].sort(([one], [other]) => one.localeCompare(other)).map(([tag, all]) =>
    element("details", { open: true }, element("summary", { textContent: tag }), element("ul", {}, ...all.map((each) => {
      const link = element("a", { href: `#/${tag}/${each.operationId}`, textContent: each.summary });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        history.replaceState(null, "", link.href);
        open(each);
      });
      return element("li", {}, link);
    }))),
  );

const begin = () => {
  const spec = window.ui.specSelectors.specJson().toJS();
  const operations = operationsOf(spec);
  const shown = document.getElementById("found");
  const find = document.getElementById("find");
  const draw = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = ({ summary, path, operationId, tag }) => `${summary} ${path} ${operationId} ${tag}`.toLowerCase();
    const found = operations.filter((each) => words.every((word) => text(each).includes(word)));
    shown.replaceChildren(...(found.length ? listed(found) : [element("p", { textContent: "No operation fits." })]));
  };
  find.addEventListener("input", draw);
  draw();
  fillWhenOpened(spec);
};

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "none",
  syntaxHighlight: { theme: "tomorrow-night" },
  persistAuthorization: false,
  showExtensions: true,
  plugins: [ownView],
  validatorUrl: null,
  onComplete: begin,
});
