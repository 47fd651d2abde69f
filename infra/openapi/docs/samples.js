// The same call in curl, Python and TypeScript, from the document's own example of it.

const WIDTH = 80;
const PYTHON = { true: "True", false: "False", null: "None" };

/** Returns a name as Python writes it. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the samples of an operation by the name of the language. `call` is `{origin, path, method, operation}`. */
export function samplesOf(call) {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const body = call.operation.requestBody?.content["application/json"]?.example;
  const isPublic = call.operation.security?.length === 0;
  const known = { ...call, names, body, isPublic };
  return { curl: curl(known), Python: python(known), TypeScript: typescript(known) };
}

function curl({ origin, path, method, names, body, isPublic }) {
  const address = path.replace(/\{(\w+)\}/g, (_, name) => `$${snake(name).toUpperCase()}`);
  const parts = [
    `curl "${origin}${address}"`,
    method === "get" ? "" : `--request ${method.toUpperCase()}`,
    isPublic ? "" : '--header "Authorization: Bearer $BOARD_GOVERNANCE_TOKEN"',
    body === undefined ? "" : "--header 'Content-Type: application/json'",
    body === undefined ? "" : `--data '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ];
  const values = names.map((name) => `${snake(name).toUpperCase()}=…\n`);
  return `${values.join("")}${parts.filter(Boolean).join(" \\\n  ")}`;
}

function python({ origin, names, body, operation }) {
  const given = Object.entries(body ?? {}).map(([name, value]) => `${snake(name)}=${literal(value)}`);
  const isList = operation.operationId.startsWith("list");
  const made = `client.${operation.tags[0]}.${snake(operation.operationId)}`;
  const called = isList ? `for each in ${made}(${names.map(snake).join(", ")}):\n    print(each)` : `print(${spread(made, [...names.map(snake), ...given])})`;
  const values = names.map((name) => `${snake(name)} = "…"\n`);
  return `from board_governance import Client\n\nclient = Client("${origin}")  # token: BOARD_GOVERNANCE_TOKEN\n${values.join("")}${called}`;
}

function typescript({ origin, path, method, names, body }) {
  const parameters = names.length ? [`params: { path: { ${names.map((name) => `${name}: "…"`).join(", ")} } }`] : [];
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
