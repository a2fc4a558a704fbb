import type { Random } from './random.ts';

const LONE_SURROGATE = '\ud800';

/** Texts nobody means: for addresses, queries, forms and members of a body. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  LONE_SURROGATE,
  `x${LONE_SURROGATE}y`,
  '\ud83d\ude00',
  '\u202e\u200f\u0661',
  '\ufeff',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '-0',
  '1e400',
  '1e-400',
  '0x10',
  '1.5',
  '９',
  '2147483648',
  '9223372036854775808',
  '99999999999999999999999999',
  '-9223372036854775809',
  '00000000000000000001',
  '1,5',
  '1_000',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '-271821-04-20',
  '275760-09-14',
  '2026-13-45T99:99:99Z',
  'tomorrow',
  "' or '1'='1",
  "'; drop table invoice; --",
  '$1',
  '%',
  '%s%n',
  '\\',
  '"',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '..\\..\\x',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  '{{7*7}}',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'not-a-uuid',
  '\r\nset-cookie: a=b',
  '\n',
  '\t',
  '\u0000'.repeat(20),
  '\u0301'.repeat(300),
  'ß'.repeat(700),
];

const LENGTHS = [129, 256, 513, 1_025, 5_000] as const;

export function badText(random: Random): string {
  if (random.oneIn(8)) return random.pick(['a', '9', '-', '\u5b57', '%']).repeat(random.pick(LENGTHS));
  return TEXTS[random.integer(TEXTS.length)] ?? '';
}

/** A value of any kind that JSON can say, and of no use. */
export function badJson(random: Random, depth = 0): unknown {
  const kind = random.integer(depth > 3 ? 7 : 11);
  if (kind < 3) return badText(random);
  if (kind === 3) return random.pick([0, -1, 1.5, 1e21, -1e300, 2 ** 53, 2 ** 31, Number.MIN_VALUE] as const);
  if (kind === 4) return random.pick([true, false] as const);
  if (kind === 5) return null;
  if (kind === 6) return random.pick([[], {}] as const);
  if (kind === 7)
    return Array.from({ length: random.integer(depth === 0 ? 30 : 3) }, () => badJson(random, depth + 1));
  if (kind === 8) return nested(random.pick([5, 33, 200] as const));
  if (kind === 9) return 'x'.repeat(random.pick([10_000, 100_000] as const));
  return Object.fromEntries(
    Array.from({ length: random.integer(depth === 0 ? 6 : 3) }, () => [
      badText(random),
      badJson(random, depth + 1),
    ]),
  );
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const RAW_BODIES: readonly (string | Buffer)[] = [
  '',
  '{',
  '[',
  '"',
  '{"a":',
  '{"a":1,}',
  "{'a':1}",
  'nul',
  'undefined',
  'NaN',
  '-',
  '1e999',
  '\ufeff{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":1}{"b":2}',
  '<xml/>',
  'a=b&a=c',
  '%00=%00',
  '='.repeat(5_000),
  '&'.repeat(5_000),
  '[]',
  '{}',
  'null',
  '0',
  '""',
  '"\\ud800"',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '{"a":'.repeat(5_000),
  Buffer.from([0xff, 0xfe, 0x00, 0x01]),
  Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]),
];

/** Larger than any body may be. */
const TOO_LARGE = JSON.stringify({ a: 'x'.repeat(1_100_000) });

export function badBody(random: Random): string | Buffer {
  return random.oneIn(200) ? TOO_LARGE : (RAW_BODIES[random.integer(RAW_BODIES.length)] ?? '');
}

export function badContentType(random: Random): string {
  return random.pick([
    ...([
      'application/json',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
    ] as const),
    ...(['text/plain', 'text/xml', 'multipart/form-data', 'multipart/form-data; boundary=', '*/*'] as const),
    ...(['application/octet-stream', 'application/problem+json', ';', 'json', 'a/b; c="d', ''] as const),
    'application/x-www-form-urlencoded; charset=ebcdic',
  ]);
}

/** An address part that is percent-encoded wrongly, or encodes what no text can hold. */
export function badEncoding(random: Random): string {
  return random.pick([
    '%',
    '%0',
    '%zz',
    '%00',
    '%E0%A4%A',
    '%ED%A0%80',
    '%C0%AF',
    '%FF',
    '%2F',
    '%2e%2e',
    '%25',
    '+',
  ]);
}
