// Swagger UI over the document that stands beside it; `validatorUrl` null: nothing is sent to anybody.
window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: false,
  showExtensions: true,
  validatorUrl: null,
});
