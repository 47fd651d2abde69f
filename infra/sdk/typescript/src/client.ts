import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { KEYED } from "./keyed.js";
import type { paths } from "./schema.js";

/** What `createClient` takes: the address of the service and a token; `fetch` replaces the platform's. */
export interface Options {
  baseUrl?: string;
  token?: string;
  fetch?: (request: Request) => Promise<Response>;
}

export type Client = FetchClient<paths, "application/json">;

const TRIES = 5;
const MILLISECONDS = 30_000;
const KEY = "Idempotency-Key";

/** An answer that is none of the service, or none at all (`status` 0, `NO_RESPONSE`), and what `live` and `upload` refuse. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly details: unknown = null,
  ) {
    super(message);
  }
}

/** Makes a client whose calls return `{data, error}`, and throw ApiError where the service did not answer. */
export function createClient(options: Options = {}): Client {
  const environment = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
  const baseUrl = checkedUrl(options.baseUrl ?? environment.BOARD_GOVERNANCE_URL);
  const token = checkedToken(options.token ?? environment.BOARD_GOVERNANCE_TOKEN);
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const client = createFetchClient<paths, "application/json">({ baseUrl, fetch: (request) => call(send, request, token) });
  client.use({ onRequest: ({ request, schemaPath }) => withKey(request, schemaPath) });
  return client;
}

/** Sends a request until it is answered by something else than 429 and 503; lost ones where that is harmless. */
export async function exchange(
  send: (request: Request) => Promise<Response>,
  request: Request,
  repeatable: boolean,
  milliseconds = MILLISECONDS,
): Promise<Response> {
  const end = Date.now() + milliseconds;
  for (let number = 0; ; number++) {
    const response = await attempt(send, request.clone(), end - Date.now());
    const wait = pause(response, number, repeatable);
    if (wait !== null && number < TRIES - 1 && Date.now() + wait < end) await sleep(wait);
    else if (response) return response;
    else throw new ApiError(0, "NO_RESPONSE", "The service did not answer.");
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function withKey(request: Request, path: string): Request {
  if (request.method === "POST" && KEYED.has(path) && !request.headers.has(KEY)) request.headers.set(KEY, crypto.randomUUID());
  return request;
}

async function call(send: (request: Request) => Promise<Response>, request: Request, token: string): Promise<Response> {
  const headers = new Headers(request.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const response = await exchange(send, new Request(request, { headers }), request.method === "GET" || headers.has(KEY));
  const text = await response.clone().text();
  if (!isReadable(text, response.ok)) {
    throw new ApiError(response.status, "UNREADABLE_RESPONSE", "Something else than the service answered, or half of it came.");
  }
  return response.ok || !token ? response : new Response(text.replaceAll(token, "***"), response);
}

/** Sends once, and reads the whole body while there is time; null if it was lost. */
async function attempt(send: (request: Request) => Promise<Response>, request: Request, left: number): Promise<Response | null> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(left, 100));
  try {
    const response = await send(new Request(request, { signal: controller.signal }));
    const body = await response.arrayBuffer();
    return new Response(response.status === 204 ? null : body, response);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns after how many milliseconds to send again; null for an answer that stands. */
function pause(response: Response | null, number: number, repeatable: boolean): number | null {
  const own = 2 ** number * (250 + 250 * Math.random());
  if (!response) return repeatable ? own : null;
  if (response.status !== 429 && response.status !== 503) return null;
  const said = response.headers.get("Retry-After") ?? "";
  const wait = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(wait) ? own : Math.max(0, wait);
}

/** Whether a body is JSON: of a success any, of an error one with a code. */
function isReadable(text: string, ok: boolean): boolean {
  try {
    const body = JSON.parse(text);
    return typeof body === "object" && body !== null && (ok || typeof (body.error ?? body).code === "string");
  } catch {
    return false;
  }
}

function checkedUrl(text = ""): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError("`baseUrl` (BOARD_GOVERNANCE_URL) must be like https://board.example.");
  }
  return text.replace(/\/+$/, "");
}

function checkedToken(token = ""): string {
  if (!/^[\x21-\x7e]*$/.test(token)) throw new TypeError("The token (BOARD_GOVERNANCE_TOKEN) has characters that no token has.");
  return token;
}
