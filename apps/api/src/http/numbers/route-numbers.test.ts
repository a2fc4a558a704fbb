import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createSecrets } from '../../secrets.ts';
import { createApp } from '../app.ts';
import type { App } from '../app-type.ts';
import type { SentNumbers } from './request-numbers.ts';
import { numbersOf } from './route-numbers.ts';

const PAN = '4242424242424242';
const FOUND = /4242[ -]?4242|314159265/;
const lines: string[] = [];
const keys = createSecrets(randomBytes(32).toString('hex'));
/** What the handler does with what it was given; by default it says what that is. */
let handle: (sent: SentNumbers | undefined, body: Readonly<Record<string, unknown>>) => unknown;
let app: App;
let incoming: Buffer[] | undefined;

const text = z.nullish(z.string().check(z.maxLength(40)));
const body = z.object({
  uid: z.optional(z.string()),
  cardNumber: text,
  cardCode: text,
  cvc: text,
  accountNumber: text,
  beside: z.optional(z.record(z.string(), z.string())),
});
const numbers = { cardNumber: 'number', cardCode: 'code', cvc: 'code', accountNumber: 'account' } as const;

/** Hands the numbers' bytes out as text, which no code but a test's does. */
async function readOut(sent: SentNumbers | undefined): Promise<Record<string, string>> {
  const read = Object.entries(sent?.secrets ?? {}).map(
    async ([name, secret]) => [name, await secret.use((bytes) => new TextDecoder().decode(bytes))] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

beforeAll(async () => {
  const config = readConfig({
    SECRET_KEY: 'x'.repeat(40),
    DATABASE_URL: 'postgres://nowhere/none',
    DATA_DIR: '/nowhere',
  });
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  app = createApp({ config, log }, { answerWithinMs: 500 });
  const schema = { body };
  app.post('/take', { config: { access: 'public', numbers }, schema }, async (request) =>
    handle(numbersOf(request).sentIn(request.body, keys), request.body),
  );
  // As the connection gives them: `inject` hands copies on.
  app.addHook('preParsing', async (_request, _reply, payload) =>
    incoming === undefined ? payload : Readable.from(incoming),
  );
  await app.ready();
});
afterAll(() => app.close());
beforeEach(() => {
  lines.length = 0;
  incoming = undefined;
  handle = async (sent) => readOut(sent);
});

const post = (payload: string | Buffer | Readable, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/take',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('numbers in the body of a route that declares them', () => {
  it.each([
    ['as they are', { cardNumber: PAN, cardCode: '123' }, { number: PAN, code: '123' }],
    [
      'in groups',
      { cardNumber: '3782-822463 10005', cvc: '1234' },
      { number: '378282246310005', code: '1234' },
    ],
    ['as JSON numbers', { cardNumber: Number(PAN), cvc: 123 }, { number: PAN, code: '123' }],
    ['of an account', { accountNumber: '0012 3456' }, { account: '00123456' }],
    ['left out', { cardNumber: '', cardCode: null }, {}],
  ])('reach the handler as bytes: %s', async (_name, sent, expected) => {
    expect((await post(JSON.stringify(sent))).json()).toEqual(expected);
  });

  it('reach it once where a member is repeated: the last one counts', async () => {
    const answer = await post(
      `{"cardNumber":"4000000000000002","card\\u004eumber":"\\u0034${PAN.slice(1)}"}`,
    );
    expect(answer.json()).toEqual({ number: PAN });
  });

  it.each([
    ['a wrong check digit', { cardNumber: '4242424242424241' }, 'cardNumber'],
    ['too few digits', { cardNumber: '42424242420' }, 'cardNumber'],
    ['too many', { cardNumber: '42424242424242424242' }, 'cardNumber'],
    ['letters', { cardNumber: `${PAN}x` }, 'cardNumber'],
    ['a fraction', { cardNumber: 4.242e15 + 0.5 }, 'cardNumber'],
    ['a code of another length than the card has', { cardNumber: PAN, cardCode: '1234' }, 'cardCode'],
    ['two codes', { cardNumber: PAN, cardCode: '123', cvc: '123' }, 'cvc'],
    ['a short account', { accountNumber: '123' }, 'accountNumber'],
    ['a long account', { accountNumber: '1'.repeat(18) }, 'accountNumber'],
    ['a list', { cardNumber: [PAN] }, 'cardNumber'],
    ['an object', { cardNumber: { cardNumber: PAN } }, 'cardNumber'],
    ['a number below another member', { beside: { cardNumber: PAN } }, 'beside.cardNumber'],
  ])('are refused by the name of their member: %s', async (_name, sent, path) => {
    const answer = await post(JSON.stringify(sent));
    expect([answer.statusCode, answer.json().errors?.[0].path]).toEqual([400, path]);
    expect(answer.body + lines.join('')).not.toMatch(FOUND);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no type', { 'content-type': '' }, 415],
    ['an encoding', { 'content-encoding': 'gzip' }, 415],
    ['a length that is too large', { 'content-length': String(2 ** 21) }, 413],
    ['another length than it has', { 'content-length': '7' }, 400],
  ])('are not read out of a body of %s', async (_name, headers, status) => {
    const sent = Buffer.from(JSON.stringify({ cardNumber: PAN }));
    const answer = await post('content-encoding' in headers ? gzipSync(sent) : sent, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.body + lines.join('')).not.toMatch(FOUND);
  });

  it('are overwritten where they came in, also in what is too long or no JSON', async () => {
    const whole = JSON.stringify({ cardNumber: PAN, cardCode: '123' });
    const long = `${whole.slice(0, -1)},"uid":"${'x'.repeat(2 ** 20)}"}`;
    for (const [sent, status] of [
      [whole, 200],
      [long, 413],
      [whole.slice(0, -1), 400],
    ] as const) {
      const chunks = [sent.slice(0, 20), sent.slice(20)].map((part) => Buffer.from(part));
      incoming = chunks;
      expect((await post(Readable.from([sent]), { 'transfer-encoding': 'chunked' })).statusCode).toBe(status);
      expect(Buffer.concat(chunks).every((byte) => byte === 0)).toBe(true);
    }
  });

  it.each([
    ['is done', async () => 'done', 200],
    ['throws', async () => Promise.reject(new Error('no')), 500],
    ['takes too long', () => new Promise((done) => setTimeout(done, 800)), 503],
  ])('are overwritten when the handler %s', async (_name, end, status) => {
    const kept: SentNumbers[] = [];
    let ended: () => void = () => undefined;
    const isOver = new Promise<void>((over) => {
      ended = over;
    });
    handle = async (sent) => {
      if (sent !== undefined) kept.push(sent);
      try {
        return await end();
      } finally {
        ended();
      }
    };
    expect((await post(JSON.stringify({ cardNumber: PAN }))).statusCode).toBe(status);
    await isOver;
    await new Promise(setImmediate);
    await expect(kept[0]?.secrets.number?.use(() => 1)).rejects.toThrow('used or destroyed');
  });

  it('have a digest that is keyed, the same for the same number, and says nothing of the code', async () => {
    handle = async (sent) => ({ digest: sent?.digest });
    const digestOf = async (sent: object) => (await post(JSON.stringify(sent))).json().digest;
    const one = await digestOf({ cardNumber: PAN, cardCode: '123' });
    expect(await digestOf({ cardNumber: '4242 4242-42424242', cardCode: '999' })).toBe(one);
    expect(await digestOf({ cardNumber: '4000000000000002', cardCode: '123' })).not.toBe(one);
    expect(await digestOf({ accountNumber: PAN })).not.toBe(one);
    expect(one).not.toContain(createSecrets('y'.repeat(40)).digest(PAN, 'number:number').toString('base64'));
  });

  it('stand in no answer and no log line, whatever else the body is', async () => {
    const around = JSON.stringify({
      uid: 'u',
      cardNumber: PAN,
      beside: { cvc: '314159265' },
      cardCode: [PAN],
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(around.length),
        fc.nat(2),
        fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('\\', '"', '{', '\\u00', '\0', '\ud800')),
        async (at, cut, put) => {
          const answer = await post(around.slice(0, at) + put + around.slice(at + cut));
          expect(answer.statusCode).toBeLessThan(500);
          expect(answer.body + lines.join('')).not.toMatch(FOUND);
        },
      ),
      { numRuns: 300 },
    );
  });
});
