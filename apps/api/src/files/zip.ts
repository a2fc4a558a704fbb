import { Zip, ZipDeflate } from 'fflate';

/** Bytes of text that are packed at a time. */
const PIECE = 128 * 1024;

/** A ZIP file that is taken away while it grows. Without the 64-bit form: at most 65,535 files and 4 GB. */
export class ZipFile {
  #chunks: Uint8Array[] = [];
  readonly #zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    if (chunk.length > 0) this.#chunks.push(chunk);
  });
  #file: ZipDeflate | undefined;
  #text = '';

  begin(name: string): void {
    this.#file = new ZipDeflate(name, { level: 6 });
    this.#zip.add(this.#file);
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#flush(false);
  }

  /** Of a file that has no text. */
  addBytes(bytes: Uint8Array): void {
    this.#file?.push(bytes, false);
  }

  end(): void {
    this.#flush(true);
  }

  close(): void {
    this.#zip.end();
  }

  /** What was written since the last time. */
  taken(): Uint8Array[] {
    const chunks = this.#chunks;
    if (chunks.length > 0) this.#chunks = [];
    return chunks;
  }

  #flush(isLast: boolean): void {
    this.#file?.push(Buffer.from(this.#text), isLast);
    this.#text = '';
  }
}
