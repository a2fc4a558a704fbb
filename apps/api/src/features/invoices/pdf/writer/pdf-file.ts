import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Number of an object of the file. */
export type Ref = number;

/** How much effort deflate puts in: 1 fastest to 9 smallest. Text and structure shrink to a tenth even at 2. */
const pageEffort = 2;
const objectsPerStream = 500;

interface Part {
  readonly ref: Ref;
  readonly head: string;
  readonly body: Uint8Array;
}

/**
 * Writes a PDF 1.7 file (ISO 32000-1): plain objects go compressed into object streams, streams follow as they
 * are, and a cross-reference stream ends the file. The same calls always give the same bytes.
 */
export class PdfFile {
  private nextRef = 1;
  private readonly objects: { readonly ref: Ref; readonly body: string }[] = [];
  private readonly streams: Part[] = [];

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
    return ref;
  }

  /** Adds a stream that is already encoded as `entries` say. */
  stream(entries: string, body: Uint8Array, ref: Ref = this.reserve()): Ref {
    this.streams.push({ ref, head: `<<${entries}/Length ${body.length}>>`, body });
    return ref;
  }

  /** Adds a stream and compresses it. */
  compressed(entries: string, body: Uint8Array | string, ref: Ref = this.reserve()): Ref {
    return this.stream(`${entries}/Filter/FlateDecode`, compress(body), ref);
  }

  /** The finished file. `info` and `root` are the document information and the catalogue. */
  finish(root: Ref, info: Ref): Uint8Array {
    const places = new Map<Ref, { readonly container: Ref; readonly index: number }>();
    for (let from = 0; from < this.objects.length; from += objectsPerStream) {
      const group = this.objects.slice(from, from + objectsPerStream);
      const container = this.objectStream(group);
      for (const [index, { ref }] of group.entries()) places.set(ref, { container, index });
    }
    const chunks: Uint8Array[] = [latin1('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n')];
    let length = chunks[0]?.length ?? 0;
    const push = (chunk: Uint8Array): void => {
      chunks.push(chunk);
      length += chunk.length;
    };
    const offsets = new Map<Ref, number>();
    for (const part of this.streams) {
      offsets.set(part.ref, length);
      push(latin1(`${part.ref} 0 obj\n${part.head}stream\n`));
      push(part.body);
      push(latin1('\nendstream\nendobj\n'));
    }
    const id = hash('md5', Buffer.concat(chunks), 'hex');
    const xrefRef = this.reserve();
    const startXref = length;
    offsets.set(xrefRef, startXref);
    const table = compress(this.crossReferences(offsets, places));
    push(
      latin1(
        `${xrefRef} 0 obj\n<</Type/XRef/Size ${this.nextRef}/W[1 4 2]/Root ${root} 0 R/Info ${info} 0 R` +
          `/ID[<${id}><${id}>]/Filter/FlateDecode/Length ${table.length}>>stream\n`,
      ),
    );
    push(table);
    push(latin1(`\nendstream\nendobj\nstartxref\n${startXref}\n%%EOF\n`));
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
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
  private crossReferences(
    offsets: ReadonlyMap<Ref, number>,
    places: ReadonlyMap<Ref, { readonly container: Ref; readonly index: number }>,
  ): Uint8Array {
    const table = new Uint8Array(this.nextRef * 7);
    const view = new DataView(table.buffer);
    view.setUint16(5, 65535);
    for (let ref = 1; ref < this.nextRef; ref++) {
      const place = places.get(ref);
      const offset = offsets.get(ref);
      const at = ref * 7;
      if (place) {
        view.setUint8(at, 2);
        view.setUint32(at + 1, place.container);
        view.setUint16(at + 5, place.index);
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
