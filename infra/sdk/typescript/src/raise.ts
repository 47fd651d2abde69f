import { ApiError } from "./client.js";

/** Throws the error that the service answered. */
export function raise(body: unknown, status: number): never {
  const said = ((body as { error?: object }).error ?? body) as { code: string; message: string; requestId?: string; details?: unknown };
  throw new ApiError(status, said.code, said.message, said.requestId ?? null, said.details ?? null);
}
