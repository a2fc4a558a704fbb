/** A table of a TrueType font. */
export interface FontTable {
  readonly tag: string;
  readonly data: Uint8Array;
}

const pad4 = (length: number): number => (length + 3) & ~3;

/**
 * Puts tables together to a TrueType file with correct checksums.
 * @param tables in any order; 'head' must be among them
 */
export function assembleSfnt(tables: readonly FontTable[]): Uint8Array {
  const sorted = [...tables].sort((a, b) => (a.tag < b.tag ? -1 : 1));
  const headerLength = 12 + 16 * sorted.length;
  const out = new Uint8Array(
    sorted.reduce((length, table) => length + pad4(table.data.length), headerLength),
  );
  const view = new DataView(out.buffer);
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  view.setUint32(0, 0x00010000);
  view.setUint16(4, sorted.length);
  view.setUint16(6, power * 16);
  view.setUint16(8, Math.log2(power));
  view.setUint16(10, (sorted.length - power) * 16);
  let offset = headerLength;
  let headAt = 0;
  sorted.forEach((table, index) => {
    out.set(table.data, offset);
    if (table.tag === 'head') {
      headAt = offset;
      view.setUint32(offset + 8, 0);
    }
    const entry = 12 + 16 * index;
    for (let i = 0; i < 4; i++) out[entry + i] = table.tag.charCodeAt(i);
    view.setUint32(entry + 4, checksum(view, offset, pad4(table.data.length)));
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, table.data.length);
    offset += pad4(table.data.length);
  });
  view.setUint32(headAt + 8, (0xb1b0afba - checksum(view, 0, out.length)) >>> 0);
  return out;
}

function checksum(view: DataView, from: number, length: number): number {
  let sum = 0;
  for (let at = from; at < from + length; at += 4) sum = (sum + view.getUint32(at)) | 0;
  return sum >>> 0;
}
