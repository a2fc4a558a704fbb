import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Payable } from '../../fixtures/operations-fixture.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { useGatewayRun } from '../../fixtures/paying/gateways/gateway-run.ts';
import {
  decideHeld,
  faultTable,
  NOTHING_WRONG,
  wrongs,
} from '../../fixtures/paying/gateways/journal-report.ts';
import { testedGateways } from '../../fixtures/paying/gateways/tested-gateways.ts';

/**
 * Several things go wrong at once at every gateway: an answer is lost and look-ups see nothing, or fail as well; webhooks come early,
 * late, twice, in another order or never; a part alone is taken. Afterwards the journal and the books agree, and what is due can
 * be paid.
 */
type Fault = readonly [operation: 'charge' | 'find', mode: string, times?: number];
const lost: Fault = ['charge', 'webhook-lost', 8];
const blind: readonly Fault[] = [
  ['find', 'lookup-blind', 3],
  ['find', 'lookup-down', 3],
  ['find', 'timeout-before', 2],
  ['find', 'malformed', 2],
];
const combined: readonly (readonly Fault[])[] = [
  [['charge', 'timeout-after', 4], lost],
  [['charge', 'error-500-after', 6], lost],
  [['charge', 'rate-limit', 3]],
  ...blind.flatMap((look) =>
    ['timeout-after', 'timeout-before', 'replay-500', 'late', 'malformed'].map((mode): readonly Fault[] => [
      ['charge', mode],
      look,
      lost,
    ]),
  ),
  [['charge', 'partial']],
  [['charge', 'partial'], ['charge', 'timeout-after'], lost],
];
const webhooks: readonly (readonly Fault[])[] = [
  ...['webhook-first', 'webhook-twice', 'webhook-late', 'webhook-reversed', 'webhook-lost'].map(
    (mode): readonly Fault[] => [['charge', mode, 8]],
  ),
  [
    ['charge', 'webhook-first'],
    ['charge', 'timeout-after'],
  ],
];
const named = (faults: readonly Fault[]) =>
  [
    faults
      .map(([operation, mode, times = 1]) => `${operation} ${mode}${times === 1 ? '' : ` ×${times}`}`)
      .join(', '),
    faults,
  ] as const;

describe.each(testedGateways)('$name', (gateway) => {
  const { manifest, data, good } = gateway;
  const me = useGatewayRun(gateway);
  const { sandbox, run } = me;
  const went = new Map<string, string>();
  const decided = new Set<string>();
  const { events, oneOff } = manifest.capabilities;
  const cases = [...combined, ...(events.some((one) => one !== 'poll') ? webhooks : [])]
    .filter((faults) => data.hasNoParts !== true || faults.every(([, mode]) => mode !== 'partial'))
    .map(named);

  afterEach(() => sandbox.control('DELETE', 'faults'));
  afterAll(async () => {
    process.stdout.write(await faultTable(me, went, decided));
  });

  const dueOf = async ({ id }: Payable) =>
    (await run.rows<{ due: number }>('select due_minor::int as due from invoice where id = $1', [id]))[0]
      ?.due ?? 0;

  it.each(cases)('a payment comes to the same in journal and books: %s', async (what, faults) => {
    for (const by of oneOff === 'no'
      ? (['saved method'] as const)
      : (['pay link', 'saved method'] as const)) {
      const who = await me.person();
      const saved = await who.save(good);
      const invoice = await who.bill();
      const asking = by === 'pay link' ? await me.link(invoice, good) : await who.bulk([invoice], saved.id);
      for (const [operation, mode, times = 1] of faults) await me.fault(operation, mode, { times });
      await me.send(asking);
      await me.send(asking);
      await me.settle();
      await sandbox.control('DELETE', 'faults');
      await me.settle();
      const attempts = await run.rows<{ id: string }>('select id from attempt where customer_id = $1', [
        who.id,
      ]);
      for (const { id } of attempts) went.set(id, `${by}: ${what}`);
      for (const id of await decideHeld(me)) decided.add(id);
      expect(await wrongs(me), by).toEqual(NOTHING_WRONG);
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
      if ((await dueOf(invoice)) > 0) {
        await me.send(await who.bulk([invoice], saved.id));
        await me.settle();
        for (const id of await decideHeld(me)) decided.add(id);
      }
      expect(await dueOf(invoice)).toBe(0);
      expect(await wrongs(me), by).toEqual(NOTHING_WRONG);
    }
  });
});
