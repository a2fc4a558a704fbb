import { afterEach, beforeAll, expect, it } from 'vitest';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { killedFixture } from '../fixtures/paying/gateways/killed-fixture.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { type ServerTree, startTree } from '../fixtures/trouble/server-tree.ts';
import { faultRun } from '../processes/fault-runs.ts';

/**
 * A server is stopped while a payer waits for a slow gateway: whoever sends the signal, the answer arrives whole, and the
 * payment is booked by the server that took it. The processes are those of `npm start`.
 */
const GATEWAY_MS = 1_500;
const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const killed = killedFixture(sandbox, run, GATEWAY_MS);

let tree: ServerTree | undefined;
afterEach(() => tree?.kill());

beforeAll(() => sandbox.control('DELETE', 'webhooks'));

/** What the server itself is told several times by some of these, within moments. */
const ways: readonly (readonly [string, (tree: ServerTree) => void])[] = [
  ['SIGTERM to the server', ({ pid }) => process.kill(pid, 'SIGTERM')],
  ['SIGTERM to the group', ({ shell }) => process.kill(-shell, 'SIGTERM')],
  ['SIGINT to the group', ({ shell }) => process.kill(-shell, 'SIGINT')],
  ['SIGHUP to the group', ({ shell }) => process.kill(-shell, 'SIGHUP')],
  ["SIGTERM to npm's shell alone", ({ shell }) => process.kill(shell, 'SIGTERM')],
  ["SIGKILL to npm's shell, its children left alone", ({ shell }) => process.kill(shell, 'SIGKILL')],
];

type PayRequest = Awaited<ReturnType<typeof operations.publicPay>>['request'];
const send = ({ url }: ServerTree, { path, body, headers }: PayRequest): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

it.each(ways)('%s: a payment under way ends whole', async (_name, stop) => {
  await sandbox.control('POST', 'settings', { delayMs: 0 });
  const { request, customerId } = await operations.publicPay(cards.good);
  await sandbox.control('POST', 'settings', { delayMs: GATEWAY_MS });
  tree = await startTree('serve', { ...killed.env(), STOP_PAUSE_MS: '0', LOG_LEVEL: 'info' });
  const answer = send(tree, request);
  await killed.written(customerId);
  stop(tree);
  const answered = await answer;
  expect([answered.status, await answered.json()]).toMatchObject([200, { data: { status: 'succeeded' } }]);
  const end = await tree.ended();
  expect(tree.lines.filter((line) => line.includes('"msg":"stopping"'))).toHaveLength(1);
  // The server ended well: where a shell was left to say so, it does.
  if (end.code !== null) expect(end).toEqual({ code: 0, signal: null });
  expect(tree.lines.join('\n')).not.toMatch(/at once|too long/);
  expect(await run.rows('select state from attempt where customer_id = $1', [customerId])).toEqual([
    { state: 'succeeded' },
  ]);
});

it('a payment whose gateway stays silent is answered as being confirmed before the end, and found out about', async () => {
  await sandbox.control('POST', 'settings', { delayMs: 0 });
  const { request, customerId } = await operations.publicPay(cards.good);
  await sandbox.control('POST', 'faults', {
    gateway: 'stripe',
    operation: 'charge',
    mode: 'timeout-after',
  });
  tree = await startTree('serve', { ...killed.env(), STOP_PAUSE_MS: '0', LOG_LEVEL: 'info' });
  const answer = send(tree, request);
  await killed.written(customerId);
  process.kill(tree.pid, 'SIGTERM');
  const answered = await answer;
  expect([answered.status, await answered.json()]).toMatchObject([200, { data: { status: 'processing' } }]);
  expect(await tree.ended()).toEqual({ code: 0, signal: null });
  await run.untilEnded();
  expect(await run.rows('select state from attempt where customer_id = $1', [customerId])).toEqual([
    { state: 'succeeded' },
  ]);
});

it('a second signal, two seconds later, ends at once with 1 and says so', async () => {
  tree = await startTree('serve', { ...killed.env(), STOP_PAUSE_MS: '60000', LOG_LEVEL: 'info' });
  const { pid, lines } = tree;
  process.kill(pid, 'SIGINT');
  await expect.poll(() => lines.join(), { timeout: 20_000 }).toContain('stopping');
  process.kill(pid, 'SIGINT');
  const again = setInterval(() => process.kill(pid, 'SIGINT'), 2_500);
  expect(await tree.ended().finally(() => clearInterval(again))).toEqual({ code: 1, signal: null });
  expect(lines.filter((line) => line.includes('a second signal: ended at once'))).toHaveLength(1);
});
