import { createHash } from 'node:crypto';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF for this feature's tests. */
export interface SamplePdf {
  /** What its attachment is called; without it there is none. */
  readonly name?: string;
  /** What the attachment holds; 'bomb': two gigabytes of nothing in a few kilobytes. */
  readonly content?: string;
  /** It names a standard handler with a password that nobody knows. */
  readonly isEncrypted?: boolean;
  /** So many bytes of it, as of a transfer that broke off. */
  readonly keep?: number;
}

/** A small PDF, with an attachment where it is given one. */
export function samplePdf({ name, content = '', isEncrypted = false, keep }: SamplePdf): Uint8Array {
  const isBomb = content === 'bomb';
  const packed = isBomb ? bomb() : deflateSync(content);
  const filter = isBomb ? '[/FlateDecode /FlateDecode]' : '/FlateDecode';
  const names = name === undefined ? '' : `/Names << /EmbeddedFiles << /Names [(${name}) 4 0 R] >> >>`;
  const key = createHash('sha256').update('a password').digest('hex');
  const bodies: readonly (readonly [string, Uint8Array?])[] = [
    [`<< /Type /Catalog /Pages 2 0 R ${names} >>`],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    ['<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'],
    [`<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F 5 0 R >> >>`],
    [`<< /Type /EmbeddedFile /Filter ${filter} /Length ${packed.length} >>`, packed],
    [`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${key}> /U <${key}> >>`],
  ];
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  const write = (bytes: Uint8Array | string): void => {
    const piece = Buffer.from(bytes as string);
    pieces.push(piece);
    at += piece.length;
  };
  for (const [index, [dictionary, stream]] of bodies.entries()) {
    offsets.push(at);
    write(`${index + 1} 0 obj\n${dictionary}\n`);
    if (stream !== undefined) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  }
  const start = at;
  write(`xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) write(`${String(offset).padStart(10, '0')} 00000 n \n`);
  const encrypt = isEncrypted ? `/Encrypt 6 0 R /ID [<${key}> <${key}>]` : '';
  write(`trailer << /Size ${bodies.length + 1} /Root 1 0 R ${encrypt} >>\nstartxref\n${start}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(pieces).subarray(0, keep));
}

/** Two gigabytes of zeros, packed twice: once packed they are two megabytes. */
function bomb(): Uint8Array {
  // A part that ends at a byte and is not the last can be written again and again.
  const part = deflateRawSync(new Uint8Array(64 * 1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x78, 0x9c]);
  return deflateSync(Buffer.concat([header, ...Array.from({ length: 32 }, () => part)]));
}
