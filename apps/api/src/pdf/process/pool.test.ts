import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
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
function standIn(): URL {
  const path = join(folder, 'stand-in.mjs');
  writeFileSync(
    path,
    `process.on('message', ({ id, doc }) => {
      if (doc.title === 'crash') process.exit(3);
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

  it('serves many at once, in one process that has none of our environment', async () => {
    const pool = renderer({ program: standIn() });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(pool.render(doc(String(index))))),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^\d+ \{\}$/);
  });

  it('is in a group of its own: a signal to ours, by which the server is stopped, does not reach it', async () => {
    const program = Number(await pid(renderer({ program: standIn() }).render(doc('1'))));
    expect(() => process.kill(-program, 0)).not.toThrow();
  });

  it('refuses what exceeds the queue', async () => {
    const pool = renderer({ program: standIn(), queueLimit: 2 });
    const accepted = [pool.render(doc('a')), pool.render(doc('b')), pool.render(doc('c'))];
    await expect(pool.render(doc('d'))).rejects.toMatchObject({ code: 'busy' });
    await Promise.all(accepted);
  });

  it.each([
    ['crash', 'failed'],
    ['hang', 'timeout'],
    ['refuse', 'failed'],
  ])('survives a %s: that document is refused, the next one rendered', async (number, code) => {
    const pool = renderer({ program: standIn(), timeoutMs: 1500 });
    const refused = expect(pool.render(doc(number))).rejects.toMatchObject({ code });
    const next = pool.render(doc('next'));
    await refused;
    expect(await pid(next)).toMatch(/^\d+$/);
  });

  it('refuses a document that cannot be sent', async () => {
    const pool = renderer({ program: standIn() });
    const broken = { ...doc('x'), notes: (() => []) as unknown as readonly string[] };
    await expect(pool.render(broken)).rejects.toThrow();
    expect(await pid(pool.render(doc('next')))).toMatch(/^\d+$/);
  });

  it('drops what is aborted, before, while waiting and during', async () => {
    const pool = renderer({ program: standIn(), timeoutMs: 5000 });
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
    const pool = renderer({ program: standIn(), idleMs: 30 });
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
    const pool = renderer({ program: standIn(), timeoutMs: 5000 });
    const running = pool.render(doc('hang'));
    const waiting = pool.render(doc('b'));
    pool.close();
    await expect(running).rejects.toMatchObject({ code: 'closed' });
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(pool.render(doc('c'))).rejects.toMatchObject({ code: 'closed' });
  });
});
