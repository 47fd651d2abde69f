/** A client of the Board Governance Service, on `openapi-fetch`. */
export { ApiError, createClient, type Client, type Options } from "./client.js";
export { live, type Ring } from "./live.js";
export { paginate } from "./paginate.js";
export { upload } from "./upload.js";
export { verifyWebhook, VerificationError } from "./webhooks.js";
export type { components, operations, paths } from "./schema.js";
