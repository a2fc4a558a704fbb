import type { Gateway } from '@counterfoil/gateways/port/gateway.ts';

/** A delivery as its gateway sent it. */
export interface Delivery {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const BATCH = 'x-batch';

/** Several deliveries as one, as gateways send them that tell of many events at once. */
export const batchOf = (deliveries: readonly Delivery[]): Delivery => ({
  body: Buffer.from(
    JSON.stringify(deliveries.map(({ body, headers }) => ({ body: body.toString('base64'), headers }))),
  ),
  headers: { 'content-type': 'application/json', [BATCH]: '1' },
});

type Hook = NonNullable<Gateway['parseWebhook']>;

/** Reads such a batch as well: each part is verified by itself, and one that is refused refuses all. */
export const readingBatches =
  (hook: Hook): Hook =>
  (raw, headers, now) => {
    if (!headers.has(BATCH)) return hook(raw, headers, now);
    const parts = JSON.parse(Buffer.from(raw).toString()) as {
      body: string;
      headers: Record<string, string>;
    }[];
    const read = parts.map((part) => hook(Buffer.from(part.body, 'base64'), new Headers(part.headers), now));
    return (
      read.find((reading) => reading.is === 'refused') ?? {
        is: 'accepted',
        trust: 'signed',
        events: read.flatMap((reading) => (reading.is === 'accepted' ? reading.events : [])),
      }
    );
  };
