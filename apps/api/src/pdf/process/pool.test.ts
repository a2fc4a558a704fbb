import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Letter, RecordPart } from '../letter/letter.ts';
import { renderLetter } from '../letter/render-letter.ts';
import { sampleLetter } from '../letter/sample-letter.ts';
import { createPdfRenderer, type PdfRenderer, type PdfRendererOptions } from './pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-pdf-'));
const open: PdfRenderer[] = [];

afterEach(() => {
  for (const renderer of open.splice(0)) renderer.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function renderer(options: PdfRendererOptions = {}): PdfRenderer {
  const created = createPdfRenderer(options);
  open.push(created);
  return created;
}

/** A program that misbehaves as the document's number says, and else answers with its process id. */
function fake(): URL {
  const path = join(folder, 'fake.mjs');
  writeFileSync(
    path,
    `process.on('message', ({ id, doc }) => {
      if (doc.title === 'crash') process.exit(3);
      if (doc.title === 'half') return process.send({ id, part: new Uint8Array(9) }, () => process.exit(3));
      if (doc.title === 'hang') return;
      if (doc.title === 'refuse') return process.send({ id, reason: 'cannot' });
      process.send({ id, bytes: new TextEncoder().encode(String(process.pid) + ' ' + JSON.stringify(process.env)) });
    });
    process.on('disconnect', () => process.exit(0));`,
  );
  return pathToFileURL(path);
}

const doc = (title: string) => ({ ...sampleLetter(0), title });
const answer = async (promise: Promise<Uint8Array>): Promise<string> => Buffer.from(await promise).toString();
const pid = async (promise: Promise<Uint8Array>): Promise<string | undefined> =>
  (await answer(promise)).split(' ')[0];

describe('PDF renderer', () => {
  it('gives the same bytes as rendering here', async () => {
    const invoice = sampleLetter(60);
    const bytes = await renderer().render(invoice);
    expect(Buffer.compare(bytes, renderLetter(invoice))).toBe(0);
  });

  it('gives a long document part by part, all of it the same bytes; one that fails on the way ends with an error', async () => {
    const invoice = sampleLetter(3_000);
    const pool = renderer();
    const parts: Buffer[] = [];
    for await (const part of (await pool.stream(invoice)) as Readable) parts.push(part);
    expect(parts.length).toBeGreaterThan(3);
    expect(Buffer.compare(Buffer.concat(parts), renderLetter(invoice))).toBe(0);
    expect(await pool.stream(sampleLetter(60))).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(await pool.render(invoice), renderLetter(invoice))).toBe(0);
    await expect(pool.stream({ ...invoice, paper: 'none' as 'a4' })).rejects.toMatchObject({
      code: 'failed',
    });
    const half = await renderer({ program: fake() }).stream(doc('half'));
    await expect(buffer(half as Readable)).rejects.toMatchObject({ code: 'failed' });
  });

  const long: Letter = {
    ...sampleLetter(2),
    blocks: [{ kind: 'records', heading: 'Records', note: 'UTC', numbers: 1, records: 500 }],
  };
  const cells = ['10.01.2026 08:00:00', '0491 570 156', '0:00:10', '$0.0100'] as const;
  const parts: readonly RecordPart[] = [
    { kind: 'number', number: '0491 570 157', description: '', count: 500 },
    ...Array.from(
      { length: 5 },
      (): RecordPart => ({ kind: 'rows', rows: Array.from({ length: 100 }, () => cells) }),
    ),
    { kind: 'total', total: ['500 records', '', '$5.0000'] },
  ];

  it('takes usage records part by part, when the turn of their letter has come', async () => {
    const pool = renderer();
    const order: string[] = [];
    const source = (name: string) => async (take: (some: readonly RecordPart[]) => Promise<void>) => {
      for (const part of parts) {
        order.push(name);
        await take([part]);
      }
    };
    const both = await Promise.all(['a', 'b'].map((name) => pool.render(long, undefined, source(name))));
    for (const bytes of both) expect(Buffer.compare(bytes, renderLetter(long, parts))).toBe(0);
    expect(order.join('')).toBe('a'.repeat(parts.length) + 'b'.repeat(parts.length));
  });

  it('gives what all files begin with before there is a letter, and then the rest of the same bytes', async () => {
    const pool = renderer();
    const letter = sampleLetter(3);
    let ready: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const file = await pool.stream(undefined, undefined, async (take) => {
      await take([{ kind: 'start' }]);
      // Whoever asked has the first bytes already.
      await isBegun;
      await take([{ kind: 'letter', letter }]);
    });
    ready();
    expect(Buffer.compare(await buffer(file as Readable), renderLetter(letter))).toBe(0);
    const missing = pool.stream(undefined, undefined, () =>
      Promise.reject(new Error('there is no such invoice')),
    );
    await expect(missing).rejects.toThrow('there is no such invoice');
    const never = pool.stream(undefined, undefined, async (take) => take([{ kind: 'start' }]));
    await expect(buffer((await never) as Readable)).rejects.toMatchObject({ code: 'failed' });
    expect(await pool.stream(letter)).toBeInstanceOf(Uint8Array);
  });

  it('gives up a letter whose records cannot be read or whose reader has left, and goes on', async () => {
    const pool = renderer();
    const broken = pool.render(long, undefined, async (take) => {
      await take(parts.slice(0, 2));
      throw new Error('the database is away');
    });
    await expect(broken).rejects.toThrow('the database is away');
    const gone = new AbortController();
    let read = 0;
    const left = pool.render(long, gone.signal, async (take) => {
      for (const part of parts) {
        read += 1;
        await take([part]);
        gone.abort(new Error('left'));
      }
    });
    await expect(left).rejects.toThrow('left');
    expect(read).toBe(2);
    const next = await pool.render(sampleLetter(1));
    expect(Buffer.compare(next, renderLetter(sampleLetter(1)))).toBe(0);
  });

  it('serves many at once, in one process that has none of our environment', async () => {
    const pool = renderer({ program: fake() });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(pool.render(doc(String(index))))),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^\d+ \{\}$/);
  });

  it('is in a group of its own: a signal to ours, by which the server is stopped, does not reach it', async () => {
    const program = Number(await pid(renderer({ program: fake() }).render(doc('1'))));
    expect(() => process.kill(-program, 0)).not.toThrow();
  });

  it('refuses what exceeds the queue', async () => {
    const pool = renderer({ program: fake(), queueLimit: 2 });
    const accepted = [pool.render(doc('a')), pool.render(doc('b')), pool.render(doc('c'))];
    await expect(pool.render(doc('d'))).rejects.toMatchObject({ code: 'busy' });
    await Promise.all(accepted);
  });

  it.each([
    ['crash', 'failed'],
    ['hang', 'timeout'],
    ['refuse', 'failed'],
  ])('survives a %s: that document is refused, the next one rendered', async (number, code) => {
    const pool = renderer({ program: fake(), timeoutMs: 1500 });
    const refused = expect(pool.render(doc(number))).rejects.toMatchObject({ code });
    const next = pool.render(doc('next'));
    await refused;
    expect(await pid(next)).toMatch(/^\d+$/);
  });

  it('refuses a document that cannot be sent', async () => {
    const pool = renderer({ program: fake() });
    const broken = { ...doc('x'), notes: (() => []) as unknown as readonly string[] };
    await expect(pool.render(broken)).rejects.toThrow();
    expect(await pid(pool.render(doc('next')))).toMatch(/^\d+$/);
  });

  it('drops what is aborted, before, while waiting and during', async () => {
    const pool = renderer({ program: fake(), timeoutMs: 5000 });
    await expect(pool.render(doc('x'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const during = new AbortController();
    const waiting = new AbortController();
    const first = pool.render(doc('a'), during.signal);
    const second = pool.render(doc('b'), waiting.signal);
    const third = pool.render(doc('c'));
    during.abort(new Error('left'));
    waiting.abort(new Error('left too'));
    await expect(first).rejects.toThrow('left');
    await expect(second).rejects.toThrow('left too');
    expect(await pid(third)).toMatch(/^\d+$/);
  });

  it('ends an idle process and starts another when needed', async () => {
    const pool = renderer({ program: fake(), idleMs: 30 });
    const first = Number(await pid(pool.render(doc('a'))));
    const isAlive = (): boolean => {
      try {
        return process.kill(first, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 10_000 }).toBe(false);
    expect(Number(await pid(pool.render(doc('b'))))).not.toBe(first);
  });

  it('refuses everything once it is closed', async () => {
    const pool = renderer({ program: fake(), timeoutMs: 5000 });
    const running = pool.render(doc('hang'));
    const waiting = pool.render(doc('b'));
    pool.close();
    await expect(running).rejects.toMatchObject({ code: 'closed' });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(pool.render(doc('c'))).rejects.toMatchObject({ code: 'closed' });
  });
});
