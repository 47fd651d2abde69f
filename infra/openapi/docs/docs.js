// Swagger UI over /openapi.json. `validatorUrl` null: nothing is sent to anybody but this service.

// Marks the operations that extend the published specification. The licence is explained in the text: Swagger UI would
// link its identifier to a list that does not have it.
const ownView = () => ({
  wrapComponents: {
    License: () => () => null,
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

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: false,
  showExtensions: true,
  plugins: [ownView],
  validatorUrl: null,
});
