import { ApiError, sleep, type Client } from "./client.js";
import { raise } from "./raise.js";

/** What the live channel sends when a GET could now show something else: ids, and nothing of it. */
export interface Ring {
  type: "ring";
  room: string;
  event: string;
  ids: Record<string, string>;
  at: string;
}

type Frame = { type: string; room?: string; reason?: string; code?: string; message?: string };
type Heard = Frame | { closed: number };

const TRIES = 5;
const PING_MILLISECONDS = 540_000;
const ENDED = 4001;

/**
 * Yields what changes on a board, as it changes. Rings may be lost or repeated; after a gap comes one `changed` without ids.
 * Ends where you no longer hear of the board; throws ApiError where the service refuses. Node 20 needs the package `ws`.
 */
export async function* live(client: Client, boardId: string): AsyncGenerator<Ring> {
  const room = `boards/${boardId}`;
  let joined = false;
  for (let failures = 0; ; ) {
    try {
      for await (const heard of connection(client, room)) {
        if ("closed" in heard) {
          if (heard.closed === ENDED) return;
        } else if (heard.type === "error") {
          throw new ApiError(400, heard.code ?? "", heard.message ?? "");
        } else if (heard.room === room) {
          if (heard.type === "left" && heard.reason) return;
          if (heard.type === "ring") yield heard as Ring;
          if (heard.type === "joined") {
            if (joined) yield { type: "ring", room, event: "changed", ids: {}, at: new Date().toISOString() };
            joined = true;
            failures = 0;
          }
        }
      }
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!passing || !joined) throw error;
    }
    failures += 1;
    if (!joined || failures >= TRIES) throw new ApiError(0, "NO_RESPONSE", "The live channel cannot be reached.");
    await sleep(2 ** failures * (250 + 250 * Math.random()));
  }
}

/** Connects once and yields every frame, then the number that the connection was closed with. */
async function* connection(client: Client, room: string): AsyncGenerator<Heard> {
  const { data, error, response } = await client.POST("/api/v1/live/tickets");
  if (error !== undefined) raise(error, response.status);
  const Socket = globalThis.WebSocket ?? (await packaged());
  const socket = new Socket(data.data.url, ["board-governance.v1", `ticket.${data.data.ticket}`]);
  const heard: Heard[] = [];
  let wake = (): void => {};
  const hear = (one: Heard): void => {
    heard.push(one);
    wake();
  };
  socket.onopen = () => socket.send(JSON.stringify({ action: "join", room }));
  socket.onmessage = ({ data: text }) => hear(frame(text));
  socket.onclose = ({ code }) => hear({ closed: code });
  socket.onerror = () => {};
  const pings = setInterval(() => socket.send('{"action":"ping"}'), PING_MILLISECONDS);
  try {
    for (;;) {
      while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const next = heard.shift()!;
      yield next;
      if ("closed" in next) return;
    }
  } finally {
    clearInterval(pings);
    socket.close();
  }
}

function frame(text: unknown): Frame {
  try {
    const parsed = JSON.parse(String(text));
    if (typeof parsed?.type === "string") return parsed;
  } catch {}
  return { type: "error", code: "UNREADABLE_RESPONSE", message: "Something else than the live channel sent a message." };
}

async function packaged(): Promise<typeof WebSocket> {
  const name = "ws";
  return (await import(/* @vite-ignore */ name)).WebSocket as typeof WebSocket;
}
