import { Webhook } from "standardwebhooks";
import type { webhooks } from "./schema.js";

/** An event that a webhook is sent. */
export type WebhookEvent = {
  [E in keyof webhooks]: webhooks[E] extends { post: { requestBody: { content: { "application/json": infer B } } } } ? B : never;
}[keyof webhooks];

/** A delivery is not the service's, or older than five minutes, or not readable. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
}

/** Returns the event of a delivery: give the body as it came, all headers, and the webhook's secret. */
export async function verifyWebhook(body: string, headers: Headers | Record<string, string>, secret: string): Promise<WebhookEvent> {
  try {
    const given = headers instanceof Headers ? Object.fromEntries(headers) : headers;
    return new Webhook(secret).verify(body, given) as WebhookEvent;
  } catch {
    throw new VerificationError("The delivery does not hold.");
  }
}
