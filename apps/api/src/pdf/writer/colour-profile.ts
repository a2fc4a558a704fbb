/**
 * The colour space sRGB as an ICC profile (ICC.1:2001-04, version 2, a display by three colorants and a curve): what PDF/A
 * asks for where colours are of a device. 464 bytes, made of the standard's numbers (IEC 61966-2-1, adapted to D50).
 */
export function colourProfile(): Uint8Array {
  const tags: readonly (readonly [name: string, body: Buffer])[] = [
    ['desc', described('sRGB')],
    ['cprt', text('No copyright')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve()],
    ['gTRC', curve()],
    ['bTRC', curve()],
  ];
  const start = 128 + 4 + tags.length * 12;
  const table = Buffer.alloc(start - 128);
  table.writeUInt32BE(tags.length);
  let at = start;
  for (const [index, [name, body]] of tags.entries()) {
    const place = 4 + index * 12;
    table.write(name, place, 'latin1');
    table.writeUInt32BE(at, place + 4);
    table.writeUInt32BE(body.length, place + 8);
    at += body.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(at, 0);
  header.writeUInt32BE(0x02100000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, part] of [2026, 1, 1, 0, 0, 0].entries()) header.writeUInt16BE(part, 24 + index * 2);
  header.write('acsp', 36, 'latin1');
  fixed(0.9642).copy(header, 68);
  fixed(1).copy(header, 72);
  fixed(0.8249).copy(header, 76);
  return Buffer.concat([header, table, ...tags.map(([, body]) => body)]);
}

/** s15Fixed16Number. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
}

const typed = (type: string, ...parts: readonly Buffer[]): Buffer =>
  padded(Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), ...parts]));

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

const xyz = (x: number, y: number, z: number): Buffer => typed('XYZ ', fixed(x), fixed(y), fixed(z));

const text = (words: string): Buffer => typed('text', Buffer.from(`${words}\0`, 'latin1'));

/** textDescriptionType: ASCII, then no Unicode and no Macintosh text. */
function described(words: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 1);
  return typed('desc', length, Buffer.from(`${words}\0`, 'latin1'), Buffer.alloc(4 + 4 + 2 + 1 + 67));
}

/** Gamma 2.2, which differs from the curve of sRGB by less than eyes see. */
function curve(): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(1);
  const gamma = Buffer.alloc(2);
  gamma.writeUInt16BE(Math.round(2.2 * 256));
  return typed('curv', count, gamma);
}
