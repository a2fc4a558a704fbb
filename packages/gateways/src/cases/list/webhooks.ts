/** Cases about signed webhooks. */
import type { GatewayEvent, WebhookReading } from '../../port/gateway.ts';
import { newGatewayRef } from '../../port/gateway-ref.ts';
import type { GatewayCase } from '../case.ts';
import { CaseFailed, CaseNotAvailable, ensure } from '../case-end.ts';
import type { CasesData, TestMethod } from '../data.ts';
import type { CaseSession } from '../session.ts';
import { payWhole } from '../settle.ts';

interface Received {
  readonly raw: Uint8Array;
  readonly headers: Headers;
  readonly at: Date;
  readonly isTimed: boolean;
}

/** A delivery that is as it was sent is taken, and every other is refused. */
function expectGuarded({ gateway }: CaseSession, { raw, headers, at, isTimed }: Received) {
  const read = (bytes: Uint8Array, given: Headers, when: Date): WebhookReading | undefined =>
    gateway.parseWebhook?.(bytes, given, when);
  const taken = read(raw, headers, at);
  if (taken?.is !== 'accepted') throw new CaseFailed(`a good delivery was refused: ${taken?.why ?? ''}`);
  ensure(taken.trust === 'signed', 'the delivery is not trusted');
  // Not `slice`: of a Buffer that is a view, and the delivery itself would be changed.
  const changed = Uint8Array.from(raw);
  changed[raw.length - 2] = (changed[raw.length - 2] ?? 0) ^ 1;
  ensure(read(changed, headers, at)?.is === 'refused', 'a changed delivery was taken');
  ensure(read(raw, new Headers(), at)?.is === 'refused', 'an unsigned delivery was taken');
  for (const [aheadMs, words] of [
    [3_600_000, 'an old delivery was taken'],
    [-3_600_000, 'a delivery from the future was taken'],
  ] as const)
    if (isTimed) ensure(read(raw, headers, new Date(at.getTime() + aheadMs))?.is === 'refused', words);
  return taken.events[0];
}

export function webhookCases({ good, sign, ...data }: CasesData): GatewayCase[] {
  const isTimed = data.isTimed === true;
  return [
    {
      id: 'webhook-signature',
      title:
        'a delivery signed with the configured secret is taken; changed, old and unsigned ones are refused',
      async run(session) {
        const [at, ref] = [session.run.now(), newGatewayRef()];
        const deliveries = sign?.(session.account.settings, ref, at) ?? [];
        if (deliveries.length === 0) throw new CaseNotAvailable('no signing secret is configured');
        for (const delivery of deliveries) {
          const event = expectGuarded(session, { ...delivery, at, isTimed });
          ensure(event?.ref === ref, 'the delivery was read as another');
        }
      },
    },
    {
      id: 'webhook-delivered',
      title: 'a delivery that arrives names its payment; changed, old and unsigned ones are refused',
      needs: 'delivery',
      async run(session) {
        const charge = await session.charge(good);
        const { remote } = await payWhole(session, charge);
        const event = expectGuarded(session, { ...(await session.control.delivery(remote)), isTimed });
        ensure(
          event?.about === 'charge' && event.remote === remote && event.ref === charge.ref,
          'the delivery was read as another',
        );
      },
    },
  ];
}

export const pollCase = (good: TestMethod): GatewayCase => ({
  id: 'events-polled',
  title: 'events that no webhook has brought are read, and not again behind their cursor, except the newest',
  needs: 'clock',
  async run(session) {
    const read = async (cursor?: string) => {
      const events: (GatewayEvent & { readonly cursor: string })[] = [];
      for await (const event of session.gateway.pollEvents?.(cursor) ?? []) events.push(event);
      return events;
    };
    const charge = await session.charge(good);
    const { remote } = await payWhole(session, charge);
    const first = await read();
    ensure(
      first.some((event) => event.about === 'charge' && event.remote === remote),
      'the payment is not among the events',
    );
    await session.control.advance(60 * 60_000);
    const other = await payWhole(session, await session.charge(good));
    const next = await read(first.at(-1)?.cursor);
    ensure(
      next.some((event) => event.remote === other.remote),
      'the next payment is not among the events',
    );
    const known = new Set(first.map(({ id }) => id));
    ensure(
      next.some(({ id }) => !known.has(id)),
      'nothing new was read',
    );
    ensure(!next.some(({ id }) => id === first[0]?.id) || first.length < 3, 'all was read again');
  },
});
