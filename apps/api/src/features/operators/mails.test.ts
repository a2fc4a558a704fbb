import { newId } from '@counterfoil/domain/text/ids.ts';
import { describe, expect, it } from 'vitest';
import { accountMails, tokenIn } from '../../../test/fixtures/account-mails.ts';
import { anotherCookie, invitedOperator, operatorPassword } from '../../../test/fixtures/operator.ts';
import { operatorPeople } from '../../../test/fixtures/operator-people.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { MailFailed } from '../../mail/mailer.ts';

const fixture = useFixture({ env: () => ({ SMTP_URL: 'smtp://127.0.0.1:2525' }) });
const mails = accountMails(fixture);
const { ask, joined, owner } = operatorPeople(fixture);
const operators = '/v1/operator/operators';
const NEW = 'nine quiet lanterns';

const newcomer = (resellerId: number | null) => ({
  email: `${newId()}@provider.example`,
  displayName: 'Nora New',
  role: 'support',
  resellerId,
});
const query = async (text: string, ...values: unknown[]) =>
  (await fixture.database.pool().query(text, values)).rows;
const isOver = async (token: string) =>
  (await ask('POST /v1/operator/invitation', undefined, { token })).code === 'operator.invitationOver';

describe('an invitation, where there is a mail server', () => {
  it.each(['of a reseller', 'of the installation'])(
    '%s goes by mail and is seen by the invited alone',
    async (whose) => {
      const { reseller } = await fixture.seedPayer();
      const resellerId = whose === 'of a reseller' ? reseller.id : null;
      const one = await owner(resellerId);
      const wanted = newcomer(resellerId);
      const made = await one.withCode(`POST ${operators}`, wanted);
      expect(made).toMatchObject({
        status: 201,
        data: { url: null, state: 'invited', invitationMail: { state: 'waiting', problem: null } },
      });
      const [mail] = await mails.deliver();
      expect(mail).toMatchObject({
        to: wanted.email,
        subject: 'Your access to the Counterfoil console at portal.example:8080',
      });
      const token = tokenIn(mail);
      expect(mail?.text).toContain(`http://portal.example:8080/admin/invitation/${token}`);
      const kept = await query('select * from mail where operator_id = $1', made.data.id);
      expect(kept).toMatchObject([{ reseller_id: resellerId, state: 'sent' }]);
      const jobs = await query('select payload::text from graphile_worker._private_jobs');
      expect(JSON.stringify([kept, jobs])).not.toContain(token);
      const row = async () =>
        (await one.ask(`GET ${operators}`)).data.find(({ id }: { id: string }) => id === made.data.id);
      expect(await row()).toMatchObject({ invitationMail: { state: 'sent' } });
      expect((await joined(token)).email).toBe(wanted.email);
      expect(await row()).toMatchObject({ state: 'active', invitationMail: null });
      // Among the mails to customers it is not to be found, read or sent again.
      if (resellerId !== null) expect((await one.ask('GET /v1/admin/mails')).data).toEqual([]);
    },
  );

  it('is sent again with another link, and withdrawn', async () => {
    const { reseller } = await fixture.seedPayer();
    const one = await owner(reseller.id);
    const { data } = await one.withCode(`POST ${operators}`, newcomer(reseller.id));
    const first = tokenIn((await mails.deliver())[0]);
    const again = await one.withCode(`POST ${operators}/${data.id}/invitation`);
    expect(again).toMatchObject({ status: 200, data: { url: null, invitationMail: { state: 'waiting' } } });
    const second = tokenIn((await mails.deliver())[0]);
    expect([await isOver(first), await isOver(second)]).toEqual([true, false]);
    await one.withCode(`POST ${operators}/${data.id}/invitation`);
    expect(await one.ask(`POST ${operators}/${data.id}/invitation/withdrawal`)).toMatchObject({
      data: { state: 'noWayIn', invitationMail: null },
    });
    expect(await mails.deliver()).toEqual([]);
    expect(await isOver(second)).toBe(true);
    const trail = await query(
      "select action, actor from audit_event where user_email = $1 and action like 'operator.%' order by id",
      data.email,
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'operator.added',
      'operator.invited',
      'operator.invited',
      'operator.invitationWithdrawn',
    ]);
    const { token } = await invitedOperator(fixture, reseller.id);
    const person = await joined(token);
    const { id } = (await one.ask(`GET ${operators}`)).data.find(
      (row: { email: string }) => row.email === person.email,
    );
    expect(await one.withCode(`POST ${operators}/${id}/invitation`)).toMatchObject({
      status: 400,
      code: 'operator.notSet',
    });
  });

  it('that could not be delivered says so to the owner', async () => {
    const one = await owner(null);
    const { data } = await one.withCode(`POST ${operators}`, newcomer(null));
    await mails.deliver({ send: async () => new MailFailed('no such mailbox: 550 5.1.1', true) });
    const row = (await one.ask(`GET ${operators}`)).data.find(({ id }: { id: string }) => id === data.id);
    expect(row.invitationMail).toEqual({ state: 'undelivered', problem: 'no such mailbox: 550 5.1.1' });
  });
});

describe('a forgotten password', () => {
  const request = (email: string) => ask('POST /v1/operator/password-reset-request', undefined, { email });
  const set = (token: string, password = NEW) =>
    ask('POST /v1/operator/password-reset', undefined, { token, password });

  it('is set by a mailed link, once; every session ends, and the code is demanded as ever', async () => {
    const person = await owner(null);
    const other = await anotherCookie(fixture, person.email);
    expect(await request(person.email.toUpperCase())).toMatchObject({ status: 204 });
    const [mail] = await mails.deliver();
    const token = tokenIn(mail);
    expect(mail).toMatchObject({ to: person.email });
    expect(mail?.text).toContain(`/admin/password/${token}`);
    expect(await set(token, 'short')).toMatchObject({ code: 'password.tooShort' });
    expect(await set(token)).toMatchObject({ status: 204, set: undefined });
    expect(await set(token)).toMatchObject({ status: 410, code: 'operator.resetOver' });
    for (const cookie of [person.cookie, other])
      expect(await ask('GET /v1/operator/session', cookie)).toMatchObject({ status: 401 });
    const signIn = (password: string, code: string) =>
      ask('POST /v1/operator/session', undefined, { email: person.email, password, code });
    expect(await signIn(operatorPassword, person.code())).toMatchObject({ code: 'operator.refused' });
    expect(await signIn(NEW, '000000')).toMatchObject({ code: 'operator.refused' });
    expect(await signIn(NEW, person.code())).toMatchObject({ status: 200 });
    expect((await mails.deliver()).map(({ subject }) => subject)).toEqual([
      'Your access to the Counterfoil console at portal.example:8080 was changed',
    ]);
  });

  it('is answered alike for everybody, and mailed to whoever has a password and is not shut out', async () => {
    const gone = await owner(null);
    const invited = await invitedOperator(fixture, null);
    const known = await owner(null);
    await fixture.database
      .pool()
      .query('update operator set disabled_at = now() where email = $1', [gone.email]);
    for (const email of [gone.email, invited.email, 'nobody@provider.example', known.email])
      expect(await request(email), email).toEqual({ status: 204, set: undefined });
    const rows = await query(
      "select payload::jsonb - 'operatorId' - 'lookedUpAt' as rest from graphile_worker._private_jobs",
    );
    expect(rows).toEqual(Array.from({ length: 4 }, () => ({ rest: {} })));
    expect((await mails.deliver()).map(({ to }) => to)).toEqual([known.email]);
    await request(known.email);
    fixture.clock.advance(61 * 60_000);
    expect(await mails.deliver()).toEqual([]);
  });
});

describe('an operator who looks at the portal as a user', () => {
  it.each([
    ['is shut out', (id: string) => `POST ${operators}/${id}/disable`, undefined],
    ['starts again', (id: string) => `POST ${operators}/${id}/reset`, {}],
    ['is removed', (id: string) => `POST ${operators}/${id}/removal`, undefined],
    [
      'may not look any more',
      (id: string) => `PUT ${operators}/${id}`,
      { displayName: 'O', role: 'billing' },
    ],
  ] as const)('sees nothing more once they are one who %s', async (_what, call, body) => {
    const { reseller, customer } = await fixture.seedPayer();
    const user = await fixture.make.user({ resellerId: reseller.id, customerIds: [customer.id] });
    const [one, support] = [await owner(reseller.id), await owner(reseller.id, 'support')];
    const link = async () => {
      const at = `/v1/admin/customers/${customer.id}/users/by-email/${user.email}/sign-in-links`;
      const { data } = await support.ask(`POST ${at}`, { reason: 'ticket 5521' });
      return { code: new URL(data.url).pathname.replace('/la/', '') };
    };
    const { data } = await ask('POST /v1/ec/login-by-code', undefined, await link());
    const unused = await link();
    const look = async () =>
      (
        await fixture.app.inject({
          method: 'GET',
          url: '/v1/ec/me',
          headers: { authorization: `Bearer ${data.access_token}` },
        })
      ).statusCode;
    expect(await look()).toBe(200);
    const [row] = await query('select id from operator where email = $1', support.email);
    const given = body && 'role' in body ? { ...body, resellerId: reseller.id } : body;
    const done = await (given === undefined ? one.ask(call(row.id)) : one.withCode(call(row.id), given));
    expect(done.status).toBeLessThan(300);
    expect(await look()).toBe(401);
    expect((await ask('POST /v1/ec/login-by-code', undefined, unused)).status).toBeGreaterThanOrEqual(400);
  });
});
