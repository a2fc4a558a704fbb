import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Number of an object of the file. */
export type Ref = number;

/** How much effort deflate puts in: 1 fastest to 9 smallest. Text and structure shrink to a tenth even at 2. */
const pageEffort = 2;
const objectsPerStream = 500;

/**
 * Writes a PDF 1.7 file (ISO 32000-1): streams as they come, plain objects compressed into object streams, and a
 * cross-reference stream at the end. The same calls always give the same bytes. What is written can be taken away
 * while the file grows.
 */
export class PdfFile {
  private nextRef = 1;
  private objects: { readonly ref: Ref; readonly body: string }[] = [];
  /** By object: its stream's number times `objectsPerStream`, and its place in there. A long document has 100,000. */
  private readonly places: number[] = [];
  private readonly offsets = new Map<Ref, number>();
  private readonly digest = createHash('md5');
  private chunks: Uint8Array[] = [];
  private length = 0;
  private taken = 0;

  constructor() {
    this.push(latin1('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'));
  }

  /** Reserves an object number, so that objects may point to each other. */
  reserve(): Ref {
    return this.nextRef++;
  }

  /** @returns the first of `count` numbers in a row */
  reserveMany(count: number): Ref {
    const first = this.nextRef;
    this.nextRef += count;
    return first;
  }

  /** Adds a dictionary, array or other object that is not a stream. */
  object(body: string, ref: Ref = this.reserve()): Ref {
    this.objects.push({ ref, body });
    if (this.objects.length === objectsPerStream) this.writeObjects();
    return ref;
  }

  /** Adds a stream that is already encoded as `entries` say. */
  stream(entries: string, body: Uint8Array, ref: Ref = this.reserve()): Ref {
    this.offsets.set(ref, this.length);
    this.push(latin1(`${ref} 0 obj\n<<${entries}/Length ${body.length}>>stream\n`));
    this.push(body);
    this.push(latin1('\nendstream\nendobj\n'));
    return ref;
  }

  /** Adds a stream and compresses it. */
  compressed(entries: string, body: Uint8Array | string, ref: Ref = this.reserve()): Ref {
    return this.stream(`${entries}/Filter/FlateDecode`, compress(body), ref);
  }

  /** What was written since the last time. */
  take(): readonly Uint8Array[] {
    const { chunks } = this;
    this.chunks = [];
    this.taken = this.length;
    return chunks;
  }

  /** The same in one piece. */
  takeAll(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.take()));
  }

  /** Bytes that can be taken. */
  get waiting(): number {
    return this.length - this.taken;
  }

  /**
   * Ends the file. `info` and `root` are the document information and the catalogue.
   * @returns all of it that was not taken before
   */
  finish(root: Ref, info: Ref): Uint8Array {
    if (this.objects.length > 0) this.writeObjects();
    const id = this.digest.digest('hex');
    const xrefRef = this.reserve();
    const startXref = this.length;
    this.offsets.set(xrefRef, startXref);
    const table = compress(this.crossReferences(this.offsets, this.places));
    const end = [
      latin1(
        `${xrefRef} 0 obj\n<</Type/XRef/Size ${this.nextRef}/W[1 4 2]/Root ${root} 0 R/Info ${info} 0 R` +
          `/ID[<${id}><${id}>]/Filter/FlateDecode/Length ${table.length}>>stream\n`,
      ),
      table,
      latin1(`\nendstream\nendobj\nstartxref\n${startXref}\n%%EOF\n`),
    ];
    return new Uint8Array(Buffer.concat([...this.chunks, ...end]));
  }

  private push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.digest.update(chunk);
    this.length += chunk.length;
  }

  private writeObjects(): void {
    const group = this.objects;
    this.objects = [];
    const container = this.objectStream(group);
    for (const [index, { ref }] of group.entries()) this.places[ref] = container * objectsPerStream + index;
  }

  /** ISO 32000-1, 7.5.7: numbers and offsets first, then the objects. */
  private objectStream(group: readonly { readonly ref: Ref; readonly body: string }[]): Ref {
    let index = '';
    let offset = 0;
    for (const { ref, body } of group) {
      index += `${ref} ${offset} `;
      offset += body.length + 1;
    }
    const bodies = group.map(({ body }) => body).join('\n');
    return this.compressed(`/Type/ObjStm/N ${group.length}/First ${index.length}`, `${index}${bodies}\n`);
  }

  /** 7.5.8: kind, place and index of every object; a number that was reserved and never used is free. */
  private crossReferences(offsets: ReadonlyMap<Ref, number>, places: readonly number[]): Uint8Array {
    const table = new Uint8Array(this.nextRef * 7);
    const view = new DataView(table.buffer);
    view.setUint16(5, 65535);
    for (let ref = 1; ref < this.nextRef; ref++) {
      const place = places[ref];
      const offset = offsets.get(ref);
      const at = ref * 7;
      if (place !== undefined) {
        view.setUint8(at, 2);
        view.setUint32(at + 1, Math.floor(place / objectsPerStream));
        view.setUint16(at + 5, place % objectsPerStream);
      } else if (offset !== undefined) {
        view.setUint8(at, 1);
        view.setUint32(at + 1, offset);
      } else view.setUint16(at + 5, 65535);
    }
    return table;
  }
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Deflates text (Latin-1) or bytes. */
export function compress(data: Uint8Array | string, level: number = pageEffort): Uint8Array {
  return deflateSync(typeof data === 'string' ? latin1(data) : data, { level });
}
