import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/bad-input/random.ts';
import { CopyFrames, type RowFrame } from './export-copy-frames.ts';

function message(letter: string, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(5);
  header.write(letter);
  header.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([header, bytes]);
}

const lines = ['a,1\n', '\n', `${'long'.repeat(400)}\n`, '"two\r\nlines",2\n', 'ünï,3\n', 'z\n'];
const sent = Buffer.concat([
  message('H', '\0\0\0'),
  ...lines.flatMap((line, index) =>
    index === 2
      ? [message('N', 'a notice'), message('d', line), message('S', 'a setting')]
      : [message('d', line)],
  ),
  message('c', ''),
  message('C', 'COPY 6\0'),
  message('Z', 'T'),
]);
const rest = Buffer.concat([message('C', 'COPY 6\0'), message('Z', 'T')]);

/** Reads what was sent, cut into pieces; what comes after the driver has the connection back is the driver's. */
function readIn(frame: RowFrame, cut: () => number) {
  const frames = new CopyFrames(frame);
  const rows: Buffer[] = [];
  let driver: Buffer | undefined;
  for (let at = 0; at < sent.length; ) {
    const end = Math.min(sent.length, at + cut());
    const piece = Buffer.from(sent.subarray(at, end));
    if (driver === undefined) {
      const read = frames.read(piece);
      rows.push(...read.rows.map((row) => Buffer.from(row)));
      driver = read.rest === undefined ? undefined : Buffer.from(read.rest);
    } else driver = Buffer.concat([driver, piece]);
    at = end;
  }
  return { text: Buffer.concat(rows).toString(), driver, count: frames.rowCount };
}

describe('rows of COPY', () => {
  const csv = lines.map((line) => `${line.slice(0, -1)}\r\n`).join('');
  const separated = lines.map((line) => `,${line}`).join('');

  it('come whole, with CRLF or a separator, however the bytes are cut; the rest is the driver’s', () => {
    const cuts = [1, 2, 3, 4, 5, 6, 7, 11, 64, 1_000, sent.length];
    for (const size of cuts) {
      expect(readIn({ crlf: true }, () => size)).toEqual({ text: csv, driver: rest, count: 6 });
      expect(readIn({ crlf: false, before: 44 }, () => size)).toEqual({
        text: separated,
        driver: rest,
        count: 6,
      });
    }
  });

  it('come whole where pieces are of any size', () => {
    const random = seededRandom(3);
    for (let time = 0; time < 300; time += 1) {
      const most = 1 + random.integer(40);
      const cut = () => 1 + random.integer(most);
      expect(readIn({ crlf: true }, cut)).toEqual({ text: csv, driver: rest, count: 6 });
      expect(readIn({ crlf: true, before: 44 }, cut).text).toBe(
        lines.map((line) => `,${line.slice(0, -1)}\r\n`).join(''),
      );
    }
  });

  it('end with what the server refuses, which the driver reads', () => {
    const frames = new CopyFrames({ crlf: true });
    const refusal = message('E', 'SERROR\0');
    const read = frames.read(Buffer.concat([message('d', 'a\n'), refusal]));
    expect([Buffer.concat(read.rows).toString(), read.rest]).toEqual(['a\r\n', refusal]);
  });
});
