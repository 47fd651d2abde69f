// The same call in curl, Python and TypeScript, from the document's own example of it.

const WIDTH = 80;
const PYTHON = { true: "True", false: "False", null: "None" };

const KEYWORDS = new Set("and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(" "));

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a name as the Python client writes it: a word of the language has a line behind it. */
const argument = (name) => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));

/** Returns the samples of an operation by the name of the language. `call` is `{origin, path, method, operation}`. */
export function samplesOf(call) {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const body = call.operation.requestBody?.content["application/json"]?.example;
  const isPublic = call.operation.security?.length === 0;
  const asked = (call.operation.parameters ?? []).filter(({ required, in: place }) => required && place === "query");
  const known = { ...call, names, query: asked.map(({ name }) => name), body, isPublic };
  return { curl: curl(known), Python: python(known), TypeScript: typescript(known) };
}

function curl({ origin, path, method, names, query, body, isPublic }) {
  const variable = (name) => snake(name).toUpperCase();
  const address = path.replace(/\{(\w+)\}/g, (_, name) => `$${variable(name)}`);
  const asked = query.map((name) => `${name}=$${variable(name)}`).join("&");
  const parts = [
    `curl "${origin}${address}${asked && `?${asked}`}"`,
    method === "get" ? "" : `--request ${method.toUpperCase()}`,
    isPublic ? "" : '--header "Authorization: Bearer $BOARD_GOVERNANCE_TOKEN"',
    body === undefined ? "" : "--header 'Content-Type: application/json'",
    body === undefined ? "" : `--data '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ];
  const values = [...names, ...query].map((name) => `${variable(name)}=…\n`);
  return `${values.join("")}${parts.filter(Boolean).join(" \\\n  ")}`;
}

function python({ origin, names, query, body, operation }) {
  const members = Object.entries(body ?? {}).map(([name, value]) => `${argument(name)}=${literal(value)}`);
  const given = [...names.map(argument), ...query.map((name) => `${argument(name)}=${argument(name)}`), ...members];
  const isList = operation.operationId.startsWith("list");
  const made = `client.${operation.tags[0]}.${snake(operation.operationId)}`;
  const called = isList ? `for each in ${made}(${given.join(", ")}):\n    print(each)` : `print(${spread(made, given)})`;
  const values = [...names, ...query].map((name) => `${argument(name)} = "…"\n`);
  return `from board_governance import Client\n\nclient = Client("${origin}")  # token: BOARD_GOVERNANCE_TOKEN\n${values.join("")}${called}`;
}

function typescript({ origin, path, method, names, query, body }) {
  const places = Object.entries({ path: names, query }).filter(([, each]) => each.length);
  const filled = places.map(([place, each]) => `${place}: { ${each.map((name) => `${name}: "…"`).join(", ")} }`);
  const parameters = filled.length ? [`params: { ${filled.join(", ")} }`] : [];
  const given = [...parameters, ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`])];
  const options = given.length ? `, ${spread("", given, ["{ ", " }"], "{")}` : "";
  const token = "process.env.BOARD_GOVERNANCE_TOKEN";
  return `import { createClient } from "board-governance-client";\n\nconst client = createClient({ baseUrl: "${origin}", token: ${token} });\nconst { data, error } = await client.${method.toUpperCase()}("${path}"${options});`;
}

/** Returns a call on one line, or an argument a line where it is too long. */
function spread(name, given, [open, close] = ["(", ")"], begin = open) {
  const line = `${name}${open}${given.join(", ")}${close}`;
  return line.length <= WIDTH ? line : `${name}${begin}\n    ${given.join(",\n    ")},\n${close.trim()}`;
}

/** Returns a value of JSON as Python writes it. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value instanceof Object) return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${literal(each)}`).join(", ")}}`;
  return PYTHON[value] ?? JSON.stringify(value);
}
