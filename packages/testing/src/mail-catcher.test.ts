import { createConnection } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { catchMail, type MailCatcher } from './mail-catcher.ts';

let mails: MailCatcher;

beforeEach(async () => {
  mails = await catchMail();
});

afterEach(() => mails.stop());

it('keeps mails with envelope and parsed content', async () => {
  const answer = await send('ada@demo.example', 'Ihr Beleg: 10,00 €');
  expect(answer).toBe(250);
  const mail = await mails.waitFor('ada@demo.example');
  expect(mail).toMatchObject({ from: 'bills@demo.example', to: ['ada@demo.example'] });
  expect([mail.content.subject, mail.content.text?.trim()]).toEqual(['Receipt', 'Ihr Beleg: 10,00 €']);
});

it('refuses as often as it was told', async () => {
  mails.refuseNext(1);
  expect(await send('ada@demo.example', 'first')).toBe(451);
  expect(await send('ada@demo.example', 'second')).toBe(250);
  expect(mails.received.map(({ content }) => content.text?.trim())).toEqual(['second']);
});

it('says which mail did not come', async () => {
  await expect(mails.waitFor('bob@demo.example', 1)).rejects.toThrow('no mail for bob@demo.example');
});

/** Speaks SMTP by hand, so that the catcher is not tested with the product's own mailer. @returns the last code */
async function send(recipient: string, text: string): Promise<number> {
  const socket = createConnection(Number(new URL(mails.url).port), '127.0.0.1').setEncoding('utf8');
  const answers = socket[Symbol.asyncIterator]();
  const message = `Subject: Receipt\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n.`;
  let code = Number.parseInt(String((await answers.next()).value), 10);
  const lines = ['HELO test', 'MAIL FROM:<bills@demo.example>', `RCPT TO:<${recipient}>`, 'DATA', message];
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    code = Number.parseInt(String((await answers.next()).value), 10);
  }
  socket.end('QUIT\r\n');
  return code;
}
