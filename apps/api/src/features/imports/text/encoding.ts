/** What decoding bytes into text came to: the text, or why it cannot be read. */
export type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Byte order marks that settle the encoding whatever else the file says. */
const marks = [
  { bytes: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { bytes: [0xff, 0xfe], label: 'utf-16le' },
  { bytes: [0xfe, 0xff], label: 'utf-16be' },
] as const;

/** Encodings an XML declaration may name, and the decoder for each. Others are refused by name. */
const declared: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
};

/**
 * The encoding a byte order mark names.
 * @param head the file's first bytes, at least three where the file has them
 * @returns a decoder label, or null without a mark
 */
export function markOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  return marks.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.label ?? null;
}

/**
 * Decodes an XML document: by its byte order mark, else by the encoding its declaration names, else UTF-8.
 * @param bytes the whole file
 * @returns the text without a mark; a byte sequence the encoding does not allow is refused, never replaced
 */
export function decodeXml(bytes: Uint8Array): Decoded {
  const mark = markOf(bytes);
  const label = mark ?? labelOfDeclaration(bytes);
  if (label === null)
    return { ok: false, reason: `encoding '${nameInDeclaration(bytes)}' is not supported; use UTF-8` };
  try {
    return { ok: true, text: new TextDecoder(label, { fatal: true }).decode(bytes) };
  } catch {
    return {
      ok: false,
      reason: `the bytes are not valid ${label.toUpperCase()}; the file is damaged or in another encoding`,
    };
  }
}

function nameInDeclaration(bytes: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200));
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(head)?.[1] ?? null;
}

function labelOfDeclaration(bytes: Uint8Array): string | null {
  const name = nameInDeclaration(bytes);
  return name === null ? 'utf-8' : (declared[name.toLowerCase()] ?? null);
}

/** What decoders of files with many lines are called. */
const lineDecoders = { 'utf-8': 'utf-8', 'utf-16': 'utf-16le', 'latin-1': 'windows-1252' } as const;

/**
 * Decodes a file of lines as it comes. A byte order mark counts more than what is declared. Bytes the encoding does not
 * allow become U+FFFD: the line that holds one is refused by whoever reads lines, the others are not.
 * @param bytes the file, in pieces of any size
 */
export async function* decodeLines(
  bytes: AsyncIterable<Uint8Array>,
  encoding: keyof typeof lineDecoders,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let head = new Uint8Array(0);
  for await (const piece of bytes) {
    if (decoder !== undefined) {
      yield decoder.decode(piece, { stream: true });
      continue;
    }
    head = head.length === 0 ? new Uint8Array(piece) : Buffer.concat([head, piece]);
    if (head.length < 3) continue;
    decoder = new TextDecoder(markOf(head) ?? lineDecoders[encoding]);
    yield decoder.decode(head, { stream: true });
  }
  decoder ??= new TextDecoder(markOf(head) ?? lineDecoders[encoding]);
  yield head.length < 3 ? decoder.decode(head) : decoder.decode();
}
