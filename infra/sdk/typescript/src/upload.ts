import { ApiError, exchange, type Client } from "./client.js";
import { raise } from "./raise.js";
import type { components } from "./schema.js";

type Version = components["schemas"]["DocumentVersion"];

/** Uploads a file as the newest version of a document: declares it, sends it by the form, completes it. Throws ApiError. */
export async function upload(client: Client, boardId: string, documentId: string, file: File): Promise<Version> {
  const bytes = await file.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const declared = { fileName: file.name, mimeType: file.type as components["schemas"]["FileType"], size: file.size, sha256 };
  const path = { boardId, documentId };
  const made = await client.POST("/api/v1/boards/{boardId}/documents/{documentId}/versions", { params: { path }, body: declared });
  if (made.error !== undefined) raise(made.error, made.response.status);
  const version = made.data.data;
  await send(version.upload!, file);
  const done = await client.POST("/api/v1/boards/{boardId}/documents/{documentId}/versions/{versionId}/complete", {
    params: { path: { ...path, versionId: version.id } },
  });
  if (done.error !== undefined) raise(done.error, done.response.status);
  return done.data.data;
}

async function send(form: components["schemas"]["UploadForm"], file: File): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) body.append(name, value);
  body.append("file", file);
  const request = new Request(form.url, { method: "POST", body });
  const response = await exchange((sent) => fetch(sent), request, true, 30_000 + file.size / 100);
  if (!response.ok) throw new ApiError(response.status, "UPLOAD_REFUSED", "The store of files refused the upload.");
}
