import { expect, it } from 'vitest';
import { programKey } from '../../../test/fixtures/program.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();

async function provider() {
  const { reseller, customer } = await fixture.seedPayer();
  const key = await programKey(fixture, reseller.id, 'crm');
  return {
    reseller,
    customer,
    async call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', rest = '', payload?: object, id = customer.id) {
      const answer = await fixture.app.inject({
        method,
        url: `/v1/admin/customers/${id}/users${rest}`,
        headers: { authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      });
      return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json()) };
    },
    async bulk(lines: readonly object[]) {
      const { body } = await fixture.app.inject({
        method: 'POST',
        url: '/v1/admin/users/bulk',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
        payload: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      return body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
  };
}

const invitations = async (userId: string): Promise<number> =>
  (
    await fixture.database
      .pool()
      .query(
        "select 1 from graphile_worker.jobs where task_identifier = 'registration-mail' and key like $1",
        [`%${userId}`],
      )
  ).rowCount ?? 0;

const actions = async (userId: string): Promise<string[]> =>
  (
    await fixture.database
      .pool()
      .query('select action from audit_event where user_id = $1 order by id', [userId])
  ).rows.map(({ action }) => action);

it('makes and invites a person once, changes their name, ends that they see the customer; all of it on record', async () => {
  const { call } = await provider();
  const ada = '/by-email/Ada@Harbour.Example';
  const made = await call('PUT', ada, { displayName: 'Ada' });
  expect(made).toMatchObject({
    status: 201,
    data: { email: 'ada@harbour.example', displayName: 'Ada', isActive: true, hasPassword: false },
  });
  const { id } = made.data;
  expect(await invitations(id)).toBe(1);
  await fixture.database.pool().query('delete from graphile_worker._private_jobs');
  expect(await call('PUT', ada, { displayName: 'Ada' })).toEqual({ status: 200, data: made.data });
  expect(await invitations(id)).toBe(0);
  expect(await call('PUT', ada, { displayName: 'Ada L' })).toMatchObject({
    status: 200,
    data: { id, displayName: 'Ada L' },
  });
  expect(await call('POST', `${ada}/invitations`)).toMatchObject({ status: 202, data: { id } });
  expect(await invitations(id)).toBe(1);
  expect((await call('GET')).data).toMatchObject([{ id }]);
  expect(await call('DELETE', ada)).toMatchObject({ status: 204 });
  expect((await call('GET')).data).toEqual([]);
  for (const answer of [await call('DELETE', ada), await call('POST', `${ada}/invitations`)])
    expect(answer).toMatchObject({ status: 404, code: 'customer.noUser' });
  // The user stays, and is let in again.
  expect(await call('PUT', ada, { displayName: 'Ada L' })).toMatchObject({ status: 200, data: { id } });
  expect(await actions(id)).toEqual([
    'user.added',
    'user.changed',
    'user.invited',
    'user.memberRemoved',
    'user.memberAdded',
  ]);
});

it('invites nobody where that is not asked for, nor who has a password', async () => {
  const { call, reseller, customer } = await provider();
  const { data } = await call('PUT', '/by-email/quiet@harbour.example', { displayName: 'Q', invite: false });
  expect(await invitations(data.id)).toBe(0);
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash: '$x',
    customerIds: [customer.id],
  });
  expect(await call('POST', `/by-email/${user.email}/invitations`)).toMatchObject({
    status: 409,
    code: 'customer.userNoInvitation',
  });
});

it('shuts a user out at once and lets them in again, and mails a link for a new password to who has one', async () => {
  const { call, reseller, customer } = await provider();
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash: '$x',
    customerIds: [customer.id],
  });
  const act = (name: string) => call('POST', `/by-email/${user.email}/${name}`);
  const resets = async () =>
    (
      await fixture.database
        .pool()
        .query("select 1 from graphile_worker.jobs where task_identifier = 'reset-mail'")
    ).rowCount;
  expect(await act('password-resets')).toMatchObject({ status: 202, data: { id: user.id } });
  expect(await resets()).toBe(1);
  expect(await act('disable')).toMatchObject({ status: 200, data: { isActive: false } });
  expect(await act('disable')).toMatchObject({ status: 200, data: { isActive: false } });
  expect(await act('password-resets')).toMatchObject({ status: 409, code: 'customer.userNoReset' });
  expect(await act('enable')).toMatchObject({ status: 200, data: { isActive: true } });
  expect(await actions(user.id)).toEqual(['user.resetMailed', 'user.disabled', 'user.enabled']);
  const stranger = await provider();
  for (const name of ['disable', 'enable', 'password-resets'])
    expect(await stranger.call('POST', `/by-email/${user.email}/${name}`)).toMatchObject({
      status: 404,
      code: 'customer.noUser',
    });
});

it('two at once make one user', async () => {
  const { call } = await provider();
  const put = () => call('PUT', '/by-email/two@harbour.example', { displayName: 'Two' });
  const both = await Promise.all([put(), put()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
});

it('lets many in by lines, each as one is; the same file again changes and mails nothing', async () => {
  const [{ call, bulk, customer }, stranger] = [await provider(), await provider()];
  const theirs = await fixture.make.user({ resellerId: stranger.reseller.id, customerIds: [] });
  const [{ data: renamed }, { data: kept }] = [
    await call('PUT', '/by-email/b@x.example', { displayName: 'B', invite: false }),
    await call('PUT', '/by-email/c@x.example', { displayName: 'C', invite: false }),
  ];
  await call('DELETE', '/by-email/c@x.example');
  const at = { customer: customer.id };
  const lines = [
    { ...at, email: 'A@x.example', displayName: 'A' },
    { ...at, email: 'quiet@x.example', displayName: 'Q', invite: false },
    { ...at, email: 'b@x.example', displayName: 'Bea' },
    { ...at, email: 'c@x.example', displayName: 'C' },
    { ...at, email: theirs.email, displayName: 'Mine' },
    { customer: stranger.customer.id, email: 'd@x.example', displayName: 'D' },
    { customer: 'not known', email: 'e@x.example', displayName: 'E' },
    { ...at, email: 'no address', displayName: 'F' },
  ];
  const first = await bulk(lines);
  expect(first.map(({ reference, status, code }) => [reference, code ?? status])).toEqual([
    ['a@x.example', 'created'],
    ['quiet@x.example', 'created'],
    ['b@x.example', 'changed'],
    ['c@x.example', 'changed'],
    [theirs.email, 'customer.userTaken'],
    ['d@x.example', 'customer.notFound'],
    ['e@x.example', 'customer.notFound'],
    [null, 'request.invalid'],
  ]);
  const [invited, quiet] = first.map(({ id }) => id);
  expect([await invitations(invited), await invitations(quiet), await invitations(renamed.id)]).toEqual([
    1, 0, 0,
  ]);
  expect((await call('GET')).data).toMatchObject([
    { email: 'a@x.example', displayName: 'A' },
    { email: 'b@x.example', displayName: 'Bea' },
    { email: 'c@x.example', displayName: 'C' },
    { email: 'quiet@x.example' },
  ]);
  expect(await actions(renamed.id)).toEqual(['user.added', 'user.changed']);
  expect(await actions(kept.id)).toEqual(['user.added', 'user.memberRemoved', 'user.memberAdded']);
  await fixture.database.pool().query('delete from graphile_worker._private_jobs');
  expect((await bulk(lines)).slice(0, 4).map(({ status }) => status)).toEqual(Array(4).fill('unchanged'));
  expect(await invitations(invited)).toBe(0);
  expect(await actions(invited)).toEqual(['user.added']);
});

it('another reseller’s customers and users are as if they did not exist', async () => {
  const [one, other] = [await provider(), await provider()];
  const theirs = await fixture.make.user({
    resellerId: other.reseller.id,
    customerIds: [other.customer.id, one.customer.id],
  });
  for (const answer of [
    await one.call('GET', '', undefined, other.customer.id),
    await one.call('PUT', '/by-email/x@x.example', { displayName: 'X' }, other.customer.id),
    await one.call('DELETE', `/by-email/${theirs.email}`, undefined, other.customer.id),
  ])
    expect(answer).toMatchObject({ status: 404, code: 'customer.notFound' });
  expect(await one.call('PUT', `/by-email/${theirs.email}`, { displayName: 'Mine' })).toMatchObject({
    status: 409,
    code: 'customer.userTaken',
  });
  expect(await one.call('DELETE', `/by-email/${theirs.email}`)).toMatchObject({
    status: 404,
    code: 'customer.noUser',
  });
});
