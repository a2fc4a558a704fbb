import { createServer, type Server, type Socket } from 'node:net';
import { catchMail, type MailCatcher } from '@counterfoil/testing/mail-catcher.ts';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountMails, post, signInStatus } from '../../test/fixtures/account-mails.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { hashPassword } from '../features/auth/passwords/passwords.ts';
import { createMailer, givingUp, type Mail, MailFailed } from './mailer.ts';

const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
let catcher: MailCatcher;
const hanging: { server?: Server; url: string; sockets: Socket[] } = { url: '', sockets: [] };

beforeAll(async () => {
  catcher = await catchMail();
  // Takes connections and says nothing, as a mail server behind a broken switch.
  hanging.server = createServer((socket) => {
    hanging.sockets.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => hanging.server?.listen(0, '127.0.0.1', resolve));
  const address = hanging.server.address();
  hanging.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  await catcher.stop();
  for (const socket of hanging.sockets) socket.destroy();
  hanging.server?.close();
});
beforeEach(() => {
  logged.length = 0;
  catcher.clear();
});
afterEach(() => catcher.refuseNext(0));

const fixture = useFixture({ env: () => ({ SMTP_URL: hanging.url }) });
const mails = accountMails(fixture);
const PASSWORD = 'Ledger!2026';
const mailerFor = (smtpUrl: string, withinMs?: number) => createMailer({ smtpUrl, dataDir: '' }, withinMs);

/** A user whose password was changed: one mail waits. */
async function changed() {
  const { reseller, customer } = await fixture.seedPayer();
  const user = await fixture.make.user({
    resellerId: reseller.id,
    passwordHash: await hashPassword(PASSWORD),
    customerIds: [customer.id],
  });
  const token = await mails.resetToken(user.email);
  await post(fixture, '/v1/ec/password-reset', { token, password: 'harbour-lantern-47' });
  return user;
}
const waiting = async () =>
  (await fixture.database.pool().query('select last_error, attempts from graphile_worker._private_jobs'))
    .rows;
const pauseIsOver = () =>
  fixture.database.pool().query('update graphile_worker._private_jobs set run_at = now()');

const mail: Mail = {
  to: 'ada@x.example',
  from: { name: 'Acme', address: 'billing@acme.example' },
  subject: 'S',
  text: 'T',
  html: '<p>H',
  messageId: '<1@account.counterfoil>',
};
const failure = (sending: Promise<unknown>) =>
  sending.then(
    () => undefined,
    (error: MailFailed) => error,
  );

describe('a mail server', () => {
  it('that refuses for now is tried again from the queue: one mail arrives, with the id of the first try', async () => {
    const user = await changed();
    catcher.refuseNext(1);
    const first = await mails.deliver(mailerFor(catcher.url));
    expect(catcher.received).toEqual([]);
    expect(await waiting()).toEqual([
      { attempts: 1, last_error: expect.stringContaining('the mail server did not take it: 451 at DATA') },
    ]);
    await pauseIsOver();
    const second = await mails.deliver(mailerFor(catcher.url));
    await mails.deliver(mailerFor(catcher.url));
    expect(second).toEqual(first);
    expect(catcher.received.map(({ to, content }) => [to, content.messageId])).toEqual([
      [[user.email], first[0]?.messageId],
    ]);
    expect(await waiting()).toEqual([]);
  });

  it('that refuses for good is not asked again; the log says why, and names nobody', async () => {
    const user = await changed();
    const before = catcher.refused;
    catcher.refuseNext(5, { code: 550, text: `5.1.1 <${user.email}>: no such user here` });
    await mails.deliver(givingUp(mailerFor(catcher.url), log));
    await pauseIsOver();
    await mails.deliver(givingUp(mailerFor(catcher.url), log));
    expect([catcher.refused - before, catcher.received.length, await waiting()]).toEqual([1, 0, []]);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      msg: 'a mail was refused for good',
      reason: 'the mail server did not take it: 550 5.1.1 at RCPT TO',
    });
    expect(logged[0]).not.toContain(user.email);
  });

  it('whose operator must change something is asked again', async () => {
    catcher.refuseNext(1, { code: 554, text: '5.7.1 <ada@x.example>: Relay access denied' });
    const error = await failure(mailerFor(catcher.url).send(mail));
    expect([error?.message, error?.isForGood]).toEqual([
      'the mail server did not take it: 554 5.7.1 at RCPT TO',
      false,
    ]);
    expect(logged).toEqual([]);
  });

  it('that hangs, or is not there, is given up and tried again later', async () => {
    for (const [url, reason] of [
      [hanging.url, /ETIMEDOUT/],
      ['smtp://127.0.0.1:1', /ESOCKET|ECONNECTION|ECONNREFUSED/],
    ] as const) {
      const error = await failure(mailerFor(url, 200).send(mail));
      expect(error).toBeInstanceOf(MailFailed);
      expect([error?.message, error?.isForGood]).toEqual([expect.stringMatching(reason), false]);
    }
  });

  it('that hangs changes no answer: sign-in and reset requests never speak to it', async () => {
    const user = await changed();
    const before = hanging.sockets.length;
    expect(await signInStatus(fixture, user.email, 'harbour-lantern-47')).toBe(200);
    const asked = await post(fixture, '/v1/ec/password-reset-request', { email: user.email });
    expect([asked.statusCode, hanging.sockets.length]).toEqual([204, before]);
  });
});

describe('a mail on the wire', () => {
  it('says that a machine wrote it', async () => {
    await mailerFor(catcher.url).send(mail);
    expect(catcher.received[0]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(catcher.received[0]?.content.messageId).toBe(mail.messageId);
  });

  it.each([
    ['subject', { subject: 'S\r\nBcc: eve@evil.example\r\n\r\nbody' }],
    ['subject with a bare line feed', { subject: 'S\nBcc: eve@evil.example' }],
    ['name', { from: { name: 'Acme"\r\nBcc: eve@evil.example\r\nX: "', address: 'billing@acme.example' } }],
    ['sender', { from: { name: 'Acme', address: 'b@acme.example>\r\nBcc: eve@evil.example' } }],
    ['id', { messageId: '<1@x>\r\nBcc: eve@evil.example' }],
    ['recipient', { to: 'ada@x.example\r\nBcc: eve@evil.example' }],
    ['list of recipients', { to: 'ada@x.example, eve@evil.example' }],
    ['recipient that closes its bracket', { to: 'ada@x.example> <eve@evil.example' }],
  ])('takes no header and no recipient from a %s', async (_name, over) => {
    const error = await failure(mailerFor(catcher.url).send({ ...mail, ...over }));
    for (const { raw, to } of catcher.received) {
      expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im);
      expect(raw.split('\r\n\r\n')[0]).not.toMatch(/\n(?!\r?\n)X: /);
      expect(to).toHaveLength(1);
      expect(to).not.toContain('eve@evil.example');
    }
    // What cannot be sent is refused; what can arrives once.
    expect(catcher.received).toHaveLength(error === undefined ? 1 : 0);
  });
});
