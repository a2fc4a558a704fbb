import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, dayOfUtcMs } from '@counterfoil/domain/time/day.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { autoPayRound } from '../../../src/features/auto-pay/service.ts';
import type { Asking } from '../../fixtures/operations-fixture.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { useGatewayRun } from '../../fixtures/paying/gateways/gateway-run.ts';
import {
  decideHeld,
  faultTable,
  NOTHING_WRONG,
  wrongs,
} from '../../fixtures/paying/gateways/journal-report.ts';
import { killedFixture } from '../../fixtures/paying/gateways/killed-fixture.ts';
import { testedGateways } from '../../fixtures/paying/gateways/tested-gateways.ts';
import { PROVES, randomFrom, SEED } from '../../simulation/seeded.ts';

/**
 * A process of the product is killed while it pays through each gateway: before the gateway is called, before it acts, between its
 * answer and our commit. What is found out afterwards agrees with the sandbox's journal. Some points of each gateway in each run,
 * all with `npm run prove`; with Stripe also at random and many at once (`payments-killed.test.ts`).
 */
/** Time of each call that writes; half before it acts, half before it answers. */
const GATEWAY_MS = PROVES ? 200 : 600;
const random = randomFrom(SEED);

const points = [
  'before the call',
  'before the gateway acts',
  'before the gateway answers',
  'about its answer',
];
type Point = (typeof points)[number];
const names = ['link', 'refund', 'bulk', 'auto-pay', 'save'] as const;
type Name = (typeof names)[number];

describe.each(testedGateways.map((gateway, at) => ({ name: gateway.name, gateway, at })))(
  '$name',
  ({ gateway, at }) => {
    const { manifest, good, minor } = gateway;
    const me = useGatewayRun(gateway, {}, { timeoutMs: 2_000 });
    const { sandbox, run } = me;
    const killed = killedFixture(sandbox, run, GATEWAY_MS);
    const delay = (delayMs: number) => sandbox.control('POST', 'settings', { delayMs });
    /** What each attempt went through. */
    const went = new Map<string, string>();

    beforeAll(async () => {
      // They would tell the server of the test itself.
      await sandbox.control('DELETE', 'webhooks');
      // Where it is noon now: auto-pay has a day for its work.
      const ahead = 12 - new Date().getUTCHours();
      const zone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
      await run.rows('update brand set time_zone = $1', [zone]);
    });

    interface Ready {
      readonly customerId: string;
      /** Begins it in a process of its own. @returns how to kill that */
      begin(): Promise<() => Promise<void>>;
    }
    const asked = async (customerId: string, asking: Asking): Promise<Ready> => ({
      customerId,
      async begin() {
        const server = await killed.serve();
        const answer = server.ask(asking);
        return async () => {
          await server.kill();
          await answer;
        };
      },
    });
    /** Everything is made ready while the gateway is fast. */
    const ready: Record<Name, () => Promise<Ready>> = {
      async link() {
        const who = await me.person();
        return asked(who.id, await me.link(await who.bill(), good));
      },
      async bulk() {
        const who = await me.person();
        const saved = await who.save(good);
        return asked(who.id, await who.bulk([await who.bill(), await who.bill()], saved.id));
      },
      async save() {
        const who = await me.person();
        if (good.play === undefined) return asked(who.id, await who.saving(good));
        const { reqUid } = await who.playPage(good);
        const path = '/v1/ec/payments/setup-intent/result';
        return asked(who.id, { path, headers: await who.headers(), body: { reqUid } });
      },
      async 'auto-pay'() {
        const who = await me.person();
        await who.save(good);
        await who.call('PUT', '/v1/ec/allow-reseller-charge', { allowResellerCharge: true });
        const now = sandbox.fixture.clock.now().getTime();
        await who.bill({ dueOn: addDays(dayOfUtcMs(now), 3) });
        const deps = { ...sandbox.fixture.engine, publicUrl: new URL('http://localhost:3000') };
        await autoPayRound(deps, { resellerId: sandbox.customer.resellerId });
        await run.rows('update autopay_plan set charge_on = charge_on - 3 where customer_id = $1', [who.id]);
        return { customerId: who.id, begin: async () => killed.round().kill };
      },
      async refund() {
        const who = await me.person();
        const saved = await who.save(good);
        await me.send(await who.bulk([await who.bill()], saved.id));
        await me.settle();
        const [paid] = await run.rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
          who.id,
        ]);
        const amount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
        return { customerId: who.id, begin: async () => killed.refund(paid?.ref ?? '', amount).kill };
      },
    };
    const until: Record<Point, (customerId: string) => Promise<unknown>> = {
      'before the call': async () => undefined,
      'before the gateway acts': () => sleep(GATEWAY_MS * 0.3),
      'before the gateway answers': (customerId) => killed.done(customerId),
      'about its answer': async (customerId) => {
        await killed.done(customerId);
        await sleep(GATEWAY_MS * (0.4 + random() * 0.3));
      },
    };

    const able = names.filter(
      (name) =>
        (name !== 'link' || manifest.capabilities.oneOff !== 'no') &&
        (name !== 'refund' || manifest.capabilities.refund.when !== 'never'),
    );
    const all = able.flatMap((name) => points.map((point) => ({ name, point })));
    // One payment once the money has moved, and one other thing at another point: not the same at each gateway.
    const payment = able.includes('link') ? 'link' : 'bulk';
    const others = able.filter((name) => name !== payment);
    const turn = at + Math.floor(at / others.length);
    const some: readonly { readonly name: Name; readonly point: Point }[] = [
      { name: payment, point: 'before the gateway answers' },
      { name: others[turn % others.length] ?? 'save', point: points[at % points.length] ?? '' },
    ];
    it.each(PROVES ? all : some)('$name, killed $point', async ({ name, point }) => {
      await delay(0);
      const { customerId, begin } = await ready[name]();
      await delay(GATEWAY_MS);
      const kill = await begin();
      await killed.written(customerId);
      await until[point]?.(customerId);
      await kill();
      const open = await run.rows<{ id: string }>(
        'select id from attempt where customer_id = $1 and is_open',
        [customerId],
      );
      for (const { id } of open) went.set(id, `${name}, killed ${point}`);
      run.count('killed');
      if (open.length > 0) run.count('open after it');
      // A kill that came too late would prove nothing.
      if (name === payment && point === 'before the gateway answers') expect(open).not.toEqual([]);
    });

    it('afterwards each charge is booked once, and each method is saved once or not', async () => {
      await delay(0);
      await me.settle();
      const decided = new Set(await decideHeld(me));
      expect(await run.rows('select ref, state from attempt where is_open')).toEqual([]);
      expect(await run.rows("select state from method_setup where is_open and state <> 'redirect'")).toEqual(
        [],
      );
      expect(await wrongs(me)).toEqual(NOTHING_WRONG);
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
      const twice = await run.rows(
        `select customer_id from payment_method where state = 'active' group by 1 having count(*) > 1
          or count(*) filter (where is_default) <> 1`,
      );
      expect(twice).toEqual([]);
      process.stdout.write(await faultTable(me, went, decided));
      process.stdout.write(`${gateway.name}: ${JSON.stringify(run.counts)}\n`);
    });
  },
);
