import { beforeEach, describe, expect, it } from 'vitest';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();
const seen: Buffer[] = [];

beforeEach(() => {
  seen.length = 0;
  fixture.gateway.onWebhook = (raw) => {
    seen.push(Buffer.from(raw));
    return [];
  };
});

const hook = (
  resellerId: number,
  payload: string | Buffer,
  gateway = 'scripted',
  type = 'application/json',
) =>
  fixture.app.inject({
    method: 'POST',
    url: `/v1/webhooks/${gateway}/${resellerId}`,
    headers: { 'content-type': type, 'x-signed': '1' },
    payload,
  });

describe('POST /v1/webhooks/{gateway}/{resellerId}', () => {
  it('hands the bytes that came to the gateway, which verifies them before anything is parsed [decisions.2.webhook-signature]', async () => {
    const { reseller } = await fixture.seedPayer();
    const bodies = ['{"a" :  1}\r\n', '{"a":', 'a=1&b=2', Buffer.from([0x7b, 0x00, 0xff, 0x7d])];
    for (const body of bodies) expect((await hook(reseller.id, body)).statusCode).toBe(200);
    expect((await hook(reseller.id, 'a=1', 'scripted', 'application/x-www-form-urlencoded')).statusCode).toBe(
      200,
    );
    expect(seen).toEqual([...bodies, 'a=1'].map((body) => Buffer.from(body as string)));
  });

  it('answers without the envelope [decisions.3.exempt-webhooks]', async () => {
    const { reseller } = await fixture.seedPayer();
    expect((await hook(reseller.id, '{}')).json()).toEqual({ received: true });
  });

  it('refuses a gateway or a reseller it does not know, without asking anybody', async () => {
    const { reseller } = await fixture.seedPayer();
    for (const answer of [await hook(reseller.id, '{}', 'nobody'), await hook(2_000_000, '{}')]) {
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
    }
    expect(seen).toEqual([]);
  });
});
