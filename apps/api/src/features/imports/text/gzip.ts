import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readBytes } from './source-file.ts';

/** A packed file that is not taken; `message` says why. */
export class GzipFault extends Error {
  readonly is: 'tooLarge' | 'broken';

  constructor(is: GzipFault['is'], reason: string, cause?: unknown) {
    super(reason, { cause });
    this.is = is;
  }
}

/** Most bytes that a file may unpack to. */
export const MOST_UNPACKED = 4 * 1024 ** 3;
/** Records of usage pack to a tenth; what unpacks to more than so many times itself, from this size on, is made to fill disks. */
const MOST_RATIO = 250;
const RATIO_FROM = 16 * 1024 ** 2;

/** Whether bytes begin as gzip does (RFC 1952). */
export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b;

/**
 * Unpacks gzip as it comes; members one after the other are one file.
 * @throws {GzipFault} where it unpacks to too much, or is no gzip or cut off; what the source throws passes
 */
export async function* gunzipped(
  source: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let [packed, size] = [0, 0];
  let ofSource: unknown;
  const counted = async function* () {
    try {
      for await (const piece of source) {
        packed += piece.length;
        yield piece;
      }
    } catch (error) {
      ofSource = error;
      throw error;
    }
  };
  const sent = Readable.from(counted());
  sent.on('error', (error) => gunzip.destroy(error));
  sent.pipe(gunzip);
  try {
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > most) throw new GzipFault('tooLarge', `it unpacks to more than ${most} bytes`);
      if (size > RATIO_FROM && size > packed * MOST_RATIO)
        throw new GzipFault('tooLarge', `it unpacks to more than ${MOST_RATIO} times its size`);
      yield piece;
    }
  } catch (error) {
    if (error instanceof GzipFault) throw error;
    throw ofSource ?? new GzipFault('broken', 'it is no gzip, or damaged or cut off', error);
  } finally {
    sent.destroy();
    gunzip.destroy();
  }
}

/** Unpacks files into a folder of its own, which goes with everything in it. */
export class Unpacking {
  #folder: string | undefined;
  #files = 0;

  /** @returns where the unpacked file is; or why it is not taken */
  async unpack(file: string): Promise<{ readonly path: string } | { readonly reason: string }> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'counterfoil-import-'));
    this.#files += 1;
    const path = join(this.#folder, `${this.#files}`);
    try {
      await pipeline(
        gunzipped(
          readBytes(file, () => undefined),
          MOST_UNPACKED,
        ),
        createWriteStream(path, { mode: 0o600 }),
      );
      return { path };
    } catch (error) {
      await rm(path, { force: true });
      if (error instanceof GzipFault) return { reason: error.message };
      throw error;
    }
  }

  async end(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
