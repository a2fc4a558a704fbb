import type { InjectOptions } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { nameOf } from '../../../test/access-matrix/ids.ts';
import { hiddenRoutes } from '../../../test/access-matrix/public-operations.ts';
import { requestOf } from '../../../test/access-matrix/stage.ts';
import { allTables, fingerprint } from '../../../test/bad-input/fingerprint.ts';
import { type Stage, setStage } from '../../../test/bad-input/stage.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
let stage: Stage;
beforeAll(async () => {
  stage = await setStage(fixture);
  // The gateway has a page of its own: a call that would begin something there could.
  fixture.gateway.onCheckout = async () => ({ is: 'unknown', evidence: 'cut' });
});

/** What a GET may leave behind: how often somebody asks is counted. A time of last use is no change (fingerprint). */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['rate_limit']);

/** The specification asks for a set-up by GET. It moves no money and claims nothing, and one that is open is used again. */
const SPECIFIED: ReadonlySet<string> = new Set(['GET /v1/ec/payments/setup-intent']);

/** A print of everything that lasts, by what it is of. */
async function prints(): Promise<ReadonlyMap<string, string>> {
  const tables = await fingerprint(fixture, await allTables(fixture));
  const { rows } = await fixture.database
    .pool()
    .query<{ print: string | null }>(
      "select md5(string_agg(to_jsonb(j)::text, '' order by id)) as print from graphile_worker._private_jobs j",
    );
  const others = { queue: rows[0]?.print ?? '', gateway: JSON.stringify(fixture.gateway.calls) };
  return new Map(Object.entries({ ...tables, ...others }).filter(([name]) => !LEFT_BEHIND.has(name)));
}

/**
 * All addresses that can be read: those of the document, and the pages and files beside it. A visit to a company's
 * provider begins and ends by a link, as OpenID Connect has it; here no company has one.
 */
function readings(): (readonly [name: string, request: InjectOptions])[] {
  const described = stage.operations
    .filter((operation) => operation.method === 'GET' && !SPECIFIED.has(nameOf(operation)))
    .map((operation) => {
      const token = operation.access === 'program' ? stage.callers.program : stage.callers.own();
      const caller = operation.access === 'public' ? {} : { authorization: `Bearer ${token}` };
      return [nameOf(operation), requestOf(operation, stage.good.get(operation), caller)] as const;
    });
  const payLink = [...stage.good].find(([{ path }]) => path === '/v1/ec/payment/details/{token}')?.[1];
  const hidden = [...Object.keys(hiddenRoutes), '/', '/la/x'];
  return [
    ...described,
    ...hidden.map((path) => {
      const url = path.replace(/:\w+|\*$/, payLink?.path['token'] ?? 'x');
      return [`GET ${path}`, { method: 'GET', url }] as const;
    }),
  ];
}

it('a GET changes nothing: no table, no job, nothing at a gateway; asked again it answers alike', async () => {
  const faults: string[] = [];
  const statuses: number[] = [];
  let before = await prints();
  for (const [name, request] of readings()) {
    const answers = [await fixture.app.inject(request), await fixture.app.inject(request)];
    await fixture.app.inject({ ...request, method: 'HEAD' });
    const [first = 0, second] = answers.map(({ statusCode }) => statusCode);
    if (first !== second) faults.push(`${name}: ${first}, then ${second}`);
    statuses.push(first);
    const after = await prints();
    for (const [what, print] of before) if (after.get(what) !== print) faults.push(`${name} changes ${what}`);
    before = after;
  }
  expect(faults).toEqual([]);
  // Refusals change nothing either, and would prove nothing.
  expect(statuses.filter((status) => status < 400).length).toBeGreaterThan(statuses.length * 0.7);
});
