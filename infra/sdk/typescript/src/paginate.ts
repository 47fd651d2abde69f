import type { Client } from "./client.js";
import { raise } from "./raise.js";
import type { paths } from "./schema.js";

type Lists = { [P in keyof paths]: paths[P] extends { get: { parameters: { query?: { cursor?: string } } } } ? P : never }[keyof paths];
type Get<P extends Lists> = paths[P] extends { get: infer G } ? G : never;
type Body<P extends Lists> = Get<P> extends { responses: { 200: { content: { "application/json": infer B } } } } ? B : never;
type Item<P extends Lists> =
  Body<P> extends { data: (infer I)[] } ? I : Body<P> extends { actionItems: (infer I)[] } ? I
  : Body<P> extends (infer I)[] ? I : Body<P> extends Record<string, (infer I)[]> ? I : never;
type Given<P extends Lists> = Get<P> extends { parameters: { query?: infer Q; path?: infer T } }
  ? { params: (T extends Record<string, unknown> ? { path: T } : { path?: never }) & { query?: Q } }
  : never;

/** Iterates over all items of a list, and fetches page after page. Throws ApiError. */
export async function* paginate<P extends Lists>(client: Client, path: P, init?: Given<P>): AsyncGenerator<Item<P>> {
  const get = client.GET as unknown as (path: string, init: object) => Promise<{ data?: any; error?: unknown; response: Response }>;
  const params = (init?.params ?? {}) as { query?: object };
  for (let cursor: string | null | undefined; ; ) {
    const query = { ...params.query, ...(cursor ? { cursor } : {}) };
    const { data, error, response } = await get(path, { params: { ...params, query } });
    if (error !== undefined) raise(error, response.status);
    yield* items(data);
    cursor = data.meta ? data.meta.nextCursor : linked(response);
    if (!cursor) return;
  }
}

function items(body: any): any[] {
  if (Array.isArray(body)) return body;
  return body.data ?? body.actionItems ?? Object.values(body).flat();
}

function linked(response: Response): string | null {
  const found = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get("Link") ?? "");
  return found ? new URL(found[1]!, "http://x").searchParams.get("cursor") : null;
}
