// Swagger UI over /openapi.json. `validatorUrl` null: nothing is sent to anybody but this service.

// Marks the operations that extend the published specification. The licence is explained in the text: Swagger UI would
// link its identifier to a list that does not have it.
const ownView = () => ({
  wrapComponents: {
    License: () => () => null,
    ServersContainer: () => () => null, // there is one: the service that serves this page
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

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  syntaxHighlight: { theme: "tomorrow-night" },
  persistAuthorization: false,
  showExtensions: true,
  plugins: [ownView],
  validatorUrl: null,
});
