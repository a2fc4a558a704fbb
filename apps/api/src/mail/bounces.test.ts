import { catchMail, type MailCatcher } from '@counterfoil/testing/mail-catcher.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountMails, post } from '../../test/fixtures/account-mails.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { bounceAddress } from './bounce-address.ts';
import { noteBounce, readBounce } from './bounces.ts';
import { createMailer } from './mailer.ts';

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await catchMail();
});
afterAll(() => catcher.stop());

const fixture = useFixture();
const MAILBOX = 'Bounces@bills.example';
const ours = () => bounceAddress(MAILBOX, fixture.deps.secrets);
const mails = accountMails(fixture, { bounces: { of: (jobId) => ours().of(jobId) } });

const FAILED = [
  'Final-Recipient: rfc822; ada@x.example',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 <ada@x.example>: Recipient address rejected:',
  '    User unknown',
].join('\r\n');

/** A report as Postfix writes it. */
const report = (to: string, fields: string) =>
  Buffer.from(
    [
      'Return-Path: <>',
      'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
      `To: ${to}`,
      'Subject: Undelivered Mail Returned to Sender',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
      '',
      '--B',
      'Content-Type: text/plain',
      '',
      'This is the mail system at host mx.example. Action: failed',
      '',
      '--B',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      fields,
      '',
      '--B',
      'Content-Type: message/rfc822',
      '',
      'Subject: Invoice',
      '',
      'Action: failed',
      '--B--',
      '',
    ].join('\r\n'),
  );

describe('what comes to the address for bounces', () => {
  const plain = (to: string) =>
    Buffer.from(
      `From: ada@x.example\r\nTo: ${to}\r\nSubject: Away\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
    );
  const jobId = '4711';
  const [bounce, other, stranger] = [
    { is: 'bounce', jobId, status: '5.1.1' },
    { is: 'other' },
    { is: 'stranger' },
  ];
  const forged = () => ours().of(jobId).replace('4711', '4712');
  const cases: readonly (readonly [string, () => Buffer, object])[] = [
    ['a report of failure', () => report(ours().of(jobId), FAILED), bounce],
    ['with a name and in capitals', () => report(`"B" <${ours().of(jobId).toUpperCase()}>`, FAILED), bounce],
    ['without a status', () => report(ours().of(jobId), 'Action: failed'), { ...bounce, status: '5.0.0' }],
    ['a note of delay', () => report(ours().of(jobId), 'Action: delayed\r\nStatus: 4.4.1'), other],
    ['an answer of somebody who is away', () => plain(ours().of(jobId)), other],
    ['a report about another job’s mail', () => report(forged(), FAILED), stranger],
    ['a report to the mailbox itself', () => report(MAILBOX, FAILED), stranger],
    ['a report that breaks off', () => report(ours().of(jobId), FAILED).subarray(0, 420), other],
    ['bytes', () => Buffer.from([0, 255, 254, 13, 10, 0]), stranger],
    ['nothing', () => Buffer.of(), stranger],
  ];
  it.each(cases)('%s', async (_what, raw, expected) => {
    expect(await readBounce(raw(), ours())).toEqual(expected);
  });

  it('is known by whom it was delivered to, where that is told', async () => {
    const raw = report('undisclosed-recipients:;', FAILED);
    expect(await readBounce(raw, ours(), ours().of(jobId))).toEqual(bounce);
  });
});

it('a mail that comes back is refused, by the status of the report, and once', async () => {
  const { reseller } = await fixture.seedPayer();
  const { email } = await fixture.make.user({ resellerId: reseller.id, customerIds: [] });
  await post(fixture, '/v1/ec/password-reset-request', { email });
  await mails.deliver(createMailer({ smtpUrl: catcher.url, dataDir: '' }));
  const { from } = await catcher.waitFor(email);
  const found = await readBounce(report(from, FAILED), ours());
  if (found.is !== 'bounce') throw new Error(found.is);
  const note = () =>
    fixture.deps.databases.web.transaction((tx) => noteBounce(tx, found, fixture.clock.now()));
  expect([await note(), await note()]).toEqual([true, false]);
  const { rows } = await fixture.database
    .pool()
    .query("select state, tries->-1 as last from mail where address = $1 and kind = 'reset'", [email]);
  expect(rows).toEqual([
    {
      state: 'refused',
      last: {
        at: fixture.clock.now().toISOString(),
        outcome: 'bounced',
        to: email,
        reason: 'the recipient’s mail server sent it back: 5.1.1',
      },
    },
  ]);
});
