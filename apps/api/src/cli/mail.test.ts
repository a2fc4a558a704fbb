import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catchMail, type MailCatcher } from '@counterfoil/testing/mail-catcher.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../test/fixtures/test-commands.ts';

const cli = useCommands();
let mails: MailCatcher;
beforeAll(async () => {
  mails = await catchMail();
});
afterAll(() => mails.stop());

const own = [
  'mailTexts.reset.subject=Nytt lösenord hos {companyName}',
  'mailTexts.reset.text=Hej {username}, med <b>.\n\nAndra stycket.',
  'mailTexts.reset.button=Välj lösenord',
];
let brand = '';
beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', cli.database.url);
  vi.stubEnv('SECRET_KEY', 'a key only for this test, long enough');
  vi.stubEnv('DATA_DIR', cli.folder);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('DEMO', '0');
  await cli.json('reseller', 'add', '--id', '4200', '--name', 'Northline');
  const settings = own.flatMap((setting) => ['--setting', setting]);
  const made = ['--reseller', '4200', '--name', 'Northline', '--host', 'bills.northline.example'];
  brand = String((await cli.json<{ id: number }>('brand', 'add', ...made, ...settings)).id);
});
beforeEach(() => {
  mails.clear();
  vi.stubEnv('SMTP_URL', mails.url);
  vi.stubEnv('PUBLIC_URL', 'https://portal.example');
});

describe('mail test', () => {
  it('sends a sample of every mail in the first brand’s name', async () => {
    const { mails: sent } = await cli.json<{ mails: { kind: string }[] }>(
      'mail',
      'test',
      '--to',
      'op@x.example',
    );
    const kinds = [
      'registration',
      'reset',
      'passwordChanged',
      'securityChanged',
      'newSignIn',
      'receipt',
      'autoPayAhead',
      'autoPayNoMethod',
      'autoPayDeclined',
      'autoPayConfirm',
      'autoPayPart',
      'payLink',
      'invoiceNew',
      'invoiceDueSoon',
      'invoiceOverdue',
    ];
    expect(sent.map(({ kind }) => kind)).toEqual(kinds);
    expect(mails.received.map(({ to, content }) => [to, content.from?.name])).toEqual(
      kinds.map(() => [['op@x.example'], 'Northline']),
    );
    expect(mails.received.map(({ content }) => content.subject)).toEqual([
      'Your account at Northline',
      'Nytt lösenord hos Northline',
      'Your password for Northline was changed',
      'The security of your account at Northline was changed',
      'New sign-in to your account at Northline',
      'Receipt from Northline: Invoice 2026-0417, 2026-0418',
      expect.stringMatching(/^Northline will charge \$86\.45 on [\d.]{10}$/),
      'Invoice 2026-0417 from Northline cannot be charged',
      '$86.45 for Northline could not be charged',
      'Please confirm your payment of $86.45 to Northline',
      expect.stringContaining('is still to be paid'),
      'Your payment link for Invoice 2026-0417 from Northline',
      'Invoice 2026-0417 from Northline',
      expect.stringMatching(/^Invoice 2026-0417 from Northline is due on [\d.]{10}$/),
      'Invoice 2026-0417 from Northline is overdue',
    ]);
  });

  it('uses the brand’s own words, escaped, and its own host', async () => {
    await cli.json('mail', 'test', '--to', 'op@x.example', '--brand', brand, '--kind', 'reset');
    expect(mails.received).toHaveLength(1);
    const { text = '', html = '' } = mails.received[0]?.content ?? {};
    expect(text).toContain('Hej op@x.example, med <b>.\n\nAndra stycket.');
    expect(html).toContain('Hej op@x.example, med &lt;b&gt;.</p>');
    for (const body of [text, html]) {
      expect(body).toContain('Välj lösenord');
      expect(body).toContain('https://bills.northline.example/reset-password/sample');
    }
  });

  it('says what the mail server answered, and ends with 1', async () => {
    mails.refuseNext(1);
    expect(await cli.run('mail', 'test', '--to', 'op@x.example', '--kind', 'receipt')).toMatchObject({
      code: 1,
      out: 'receipt: the mail server did not take it: 451 at DATA',
    });
  });

  it('writes files where there is no mail server', async () => {
    vi.stubEnv('SMTP_URL', '');
    await cli.json('mail', 'test', '--to', 'op@x.example', '--kind', 'newSignIn');
    const outbox = join(cli.folder, 'outbox');
    const [file = ''] = readdirSync(outbox);
    expect(readFileSync(join(outbox, file), 'utf8')).toContain('Subject: New sign-in to your account');
  });

  it.each([
    [['--to', 'nobody'], 'nobody'],
    [['--to', 'op@x.example', '--kind', 'advert'], "not 'advert'"],
    [['--to', 'op@x.example', '--brand', '999999'], 'there is no brand 999999'],
    [[], '--to'],
  ])('refuses %j', async (args, words) => {
    const ran = await cli.run('mail', 'test', ...args);
    expect(ran.code).not.toBe(0);
    expect(ran.err).toContain(words);
    expect(mails.received).toEqual([]);
  });

  it('is not needed to find a placeholder that means nothing: brand set refuses it', async () => {
    const refused = await cli.run(
      'brand',
      'set',
      '--id',
      brand,
      '--setting',
      'mailTexts.reset.heading=Hi {nme}',
    );
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('have no {nme}') });
    expect(refused.err).toContain('{companyName}, {username}');
  });
});
