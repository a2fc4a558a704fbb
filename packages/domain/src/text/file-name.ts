const MAX_BYTES = 200;
/** Separators, characters Windows refuses, control characters, and invisible ones that can disguise an extension. */
const refused = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const encoder = new TextEncoder();

/**
 * A file name every common file system takes: refused characters become '_', no leading or trailing dots and
 * blanks, no device names, at most 200 bytes of UTF-8 with the extension kept.
 */
export function safeFileName(name: string): string {
  const replaced = name
    .normalize('NFC')
    .replace(refused, '_')
    .replace(/^[. ]+/, '_')
    .replace(/[. ]+$/, '');
  const safe = replaced.replace(deviceName, '_$1');
  return safe === '' ? '_' : shorten(safe);
}

function shorten(name: string): string {
  if (encoder.encode(name).length <= MAX_BYTES) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const room = MAX_BYTES - extension.length;
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += encoder.encode(character).length;
    if (bytes > room) break;
    stem += character;
  }
  return stem.replace(/[. ]+$/, '') + extension;
}

/** Characters RFC 5987 lets stand; encodeURIComponent leaves five more. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Value of a Content-Disposition header (RFC 6266): a plain `filename` for old programs and the exact name in
 * `filename*`. The name is made safe first.
 */
export function contentDisposition(name: string, kind: 'attachment' | 'inline'): string {
  const safe = safeFileName(name);
  // A percent sign or backslash in the plain form is decoded by some browsers, so it does not stand there.
  const plain = [...safe].map((c) => (/^[\x20-\x7e]$/.test(c) && c !== '%' ? c : '_')).join('');
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeExtended(safe)}`;
}
