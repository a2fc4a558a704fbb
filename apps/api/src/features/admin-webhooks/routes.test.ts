import { newId } from '@counterfoil/domain/text/ids.ts';
import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { receiveEvents } from '../payments/webhooks/inbox.ts';

const fixture = useFixture();
const DAY_MS = 86_400_000;

async function provider(name: string) {
  const { reseller, accountId } = await fixture.seedPayer();
  const headers = { authorization: `Bearer ${await programKey(fixture, reseller.id, name)}` };
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const url = `/v1/admin/webhook-events${path}`;
    const answer = await fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, ...answer.json() };
  };
  const account = await fixture.engine.accounts.byId(accountId);
  if (account === undefined) throw new Error('there is no such account');
  /** An event comes in that cannot be followed up as long as the gateway does not answer. */
  const receive = async (id: string, about: 'charge' | 'method' = 'charge') => {
    const events = [{ id, about, remote: `remote ${id}` as never }];
    await receiveEvents(fixture.engine, [{ account, trust: 'signed', events }]);
    fixture.clock.advance(1_000);
  };
  return { call, receive, accountId };
}

it('pages through what gateways have sent, by state, and shows nothing of others', async () => {
  const [one, other] = [await provider('pages'), await provider('others')];
  for (const id of ['a', 'b', 'c']) await one.receive(id);
  await one.receive('saved', 'method');
  await other.receive('d');
  const { data } = await one.call('GET', '');
  expect(data.map(({ eventId, state }: never) => [eventId, state])).toEqual(
    ['saved', 'c', 'b', 'a'].map((id) => [id, 'waiting']),
  );
  // Some names of saved methods can be charged.
  expect(data.map(({ gatewayId }: never) => gatewayId)).toEqual([null, 'remote c', 'remote b', 'remote a']);
  const first = await one.call('GET', '?limit=3');
  const rest = await one.call('GET', `?limit=3&cursor=${first.nextCursor}`);
  expect([first.data.length, rest.data.length, rest.nextCursor]).toEqual([3, 1, null]);
  await fixture.eventsFollowed();
  for (const [query, n] of [
    ['state=waiting', 0],
    ['state=done', 4],
    ['gateway=scripted', 4],
    ['gateway=stripe', 0],
  ] as const)
    expect([query, (await one.call('GET', `?${query}`)).data.length]).toEqual([query, n]);
  expect((await other.call('GET', `/${data[0].id}`)).status).toBe(404);
  expect(await one.call('POST', `/${data[0].id}/retry`)).toMatchObject({
    status: 409,
    code: 'webhookEvent.ended',
  });
});

it('an event that was left to a person is followed up once more, or let go of', async () => {
  const { call, receive, accountId } = await provider('person');
  await receive('late');
  await receive('other');
  // Left to a person: what could not be followed up for a day.
  await fixture.database
    .pool()
    .query(
      `update inbox set next_try_at = null, handled_at = $2, outcome = 'person: it hangs' where gateway_account_id = $1`,
      [accountId, fixture.clock.now()],
    );
  const { data } = await call('GET', '?state=needsReview');
  const [other, late] = data;
  expect([other.problem, other.canRetry, late.eventId]).toEqual(['it hangs', true, 'late']);
  fixture.clock.advance(2 * DAY_MS);
  // A worker may have followed it up before the answer was read.
  expect((await call('POST', `/${late.id}/retry`)).data.state).toMatch(/^(waiting|done)$/);
  await fixture.eventsFollowed();
  expect((await call('GET', `/${late.id}`)).data).toMatchObject({ state: 'done', tries: 1, canRetry: false });
  expect((await call('POST', `/${other.id}/dismiss`, { note: 'A test of theirs' })).data).toMatchObject({
    state: 'done',
    outcome: 'dismissed: A test of theirs',
  });
  expect((await call('POST', `/${other.id}/dismiss`, { note: 'x' })).status).toBe(409);
  expect((await call('POST', `/${newId()}/dismiss`, { note: 'x' })).status).toBe(404);
  const { rows } = await fixture.database
    .pool()
    .query("select action from audit_event where detail ->> 'event' = any($1) order by id", [
      [late.id, other.id],
    ]);
  expect(rows.map(({ action }) => action)).toEqual(['webhookEvent.retried', 'webhookEvent.dismissed']);
});
