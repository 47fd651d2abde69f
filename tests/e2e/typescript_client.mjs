// What test_installed_typescript_client.py runs in a folder that has the package: one line of JSON says what was seen.
import { ApiError, createClient, live, paginate, upload, verifyWebhook } from "board-governance-client";
import { Webhook } from "standardwebhooks";
import WebSocket from "ws";
globalThis.WebSocket ??= WebSocket;

const client = createClient();
const { data } = await client.POST("/api/v1/boards", { body: { name: "Live" } });
const boardId = data.data.id;
const paths = "/api/v1/boards/{boardId}/documents";
for (const title of ["a", "b", "c"]) await client.POST(paths, { params: { path: { boardId } }, body: { title } });
const documents = [];
for await (const one of paginate(client, paths, { params: { path: { boardId }, query: { limit: 1 } } })) documents.push(one);
const file = new File(["%PDF-1.7\n%%EOF\n"], "Paper.pdf", { type: "application/pdf" });
const version = await upload(client, boardId, documents[0].id, file);
let hearing = true;
const change = async () => {
  for (; hearing; await new Promise((resolve) => setTimeout(resolve, 200))) {
    await client.POST(paths, { params: { path: { boardId } }, body: { title: "more" } });
  }
};
const changing = change();
let event;
for await (const ring of live(client, boardId)) { event = ring.event; break; }
hearing = false;
await changing;

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body = '{"type":"meeting.created"}', at = new Date();
const headers = { "webhook-id": "m", "webhook-timestamp": String(Math.floor(at / 1000)), "webhook-signature": new Webhook(secret).sign("m", at, body) };
const verified = (await verifyWebhook(body, headers, secret)).type;
const refused = await verifyWebhook(body + " ", headers, secret).catch((error) => error.name);

const asked = [];
const scripted = (...answers) => createClient({ baseUrl: "https://board.example", token: "secret", fetch: async (request) => {
  asked.push(request);
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (answer === null) throw new TypeError("lost");
  return answer.clone();
} });
const board = { params: { path: { boardId: "b" } } };
const code = (promise) => promise.then(() => null, (error) => [error instanceof ApiError, error.code, error.status, String(error).includes("secret")]);
const busy = new Response("{}", { status: 429, headers: { "Retry-After": "0" } });
const fine = Response.json({ data: { id: "b" } });
const html = await code(scripted(new Response("<html>")).GET("/api/v1/boards/{boardId}", board));
const half = await code(scripted(new Response('{"data": {')).GET("/api/v1/boards/{boardId}", board));
const lost = await code(scripted(null).PATCH("/api/v1/boards/{boardId}", { ...board, body: { name: "n" } }));
asked.length = 0;
await scripted(busy, null, fine).POST("/api/v1/boards", { body: { name: "n" } });
const keys = new Set(asked.map((request) => request.headers.get("Idempotency-Key")));
console.log(JSON.stringify({ documents: documents.length, status: version.status, event, verified, refused, html, half, lost,
  tries: asked.length, keys: keys.size }));
