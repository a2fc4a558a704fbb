/** Signed webhooks, as far as providers sign alike. Pure. What a delivery says is read by its gateway. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookReading } from '../port/gateway.ts';
import { jsonOf } from './http.ts';

type Refused = Extract<WebhookReading, { is: 'refused' }>;

/** How a provider signs: an HMAC in hexadecimal, over the bytes exactly as they came. */
export interface Signing {
  readonly header: string;
  /**
   * Absent: the header is the signature alone. Else it has parts, `t=<time>,<part>=<signature>`, of which several may sign, and
   * the signature covers `<time>.<bytes>`.
   */
  readonly part?: string;
  /** Before the signature, where there are no parts: `sha512=`. */
  readonly prefix?: string;
  /** (`sha256`) */
  readonly algorithm?: 'sha256' | 'sha512';
  /** The time in the header is at most five minutes from this, to either side: clocks differ, replays do not help. Absent: any. */
  readonly now?: Date;
  /** What a delivery is answered whose signature is missing or wrong, or cannot be checked. */
  readonly status: Refused['status'];
}

export interface DeliveryRead {
  readonly is: 'read';
  /** As JSON; undefined where it is none. */
  readonly body: unknown;
}

const toleranceSeconds = 300;
const mostBytes = 1024 * 1024;
const mostSignatures = 20;

export const refused = (status: Refused['status'], why: string): Refused => ({ is: 'refused', status, why });

/** What stands in the header: signatures, and the time they cover. Undefined where it cannot be read. */
function readHeader(
  header: string | null,
  { part, prefix = '' }: Signing,
): { readonly time?: string; readonly signatures: readonly string[] } | undefined {
  const text = header?.trim() ?? '';
  if (part === undefined)
    return text.startsWith(prefix) ? { signatures: [text.slice(prefix.length)] } : undefined;
  const parts = text.split(',').map((one) => {
    const at = one.indexOf('=');
    return [one.slice(0, at).trim(), one.slice(at + 1).trim()] as const;
  });
  const time = parts.findLast(([name]) => name === 't')?.[1];
  if (time === undefined || !/^\d{1,14}$/.test(time)) return undefined;
  const signatures = parts.filter(([name]) => name === part).map(([, signature]) => signature);
  return { time, signatures: signatures.slice(0, mostSignatures) };
}

/** Looks at all secrets and signatures, whichever fits: how long it takes tells nothing. */
function isSigned(
  secrets: readonly (string | Uint8Array)[],
  { time, signatures }: { readonly time?: string; readonly signatures: readonly string[] },
  raw: Uint8Array,
  algorithm: 'sha256' | 'sha512',
): boolean {
  let isRight = false;
  for (const secret of secrets) {
    const hmac = createHmac(algorithm, secret);
    if (time !== undefined) hmac.update(`${time}.`);
    const expected = hmac.update(raw).digest();
    for (const signature of signatures) {
      const given = Buffer.from(/^[0-9a-f]*$/i.test(signature) ? signature : '', 'hex');
      if (given.length === expected.length && timingSafeEqual(given, expected)) isRight = true;
    }
  }
  return isRight;
}

/**
 * Verifies a delivery.
 * @param secrets all in use; several while one is replaced
 * @returns its body, or why it is refused
 */
export function verifyDelivery(
  raw: Uint8Array,
  headers: Headers,
  secrets: readonly (string | Uint8Array)[],
  signing: Signing,
): DeliveryRead | Refused {
  if (raw.byteLength > mostBytes) return refused(413, 'the delivery is too long');
  const { header: name, status, algorithm = 'sha256', now } = signing;
  if (secrets.length === 0) return refused(status, 'no webhook secret is configured');
  const header = readHeader(headers.get(name), signing);
  if (header === undefined) return refused(status, `no readable ${name}`);
  if (!isSigned(secrets, header, raw, algorithm)) return refused(status, 'no signature fits');
  if (now !== undefined) {
    const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(header.time);
    if (ageSeconds > toleranceSeconds) return refused(400, 'signed too long ago');
    if (ageSeconds < -toleranceSeconds) return refused(400, 'signed in the future');
  }
  return { is: 'read', body: bodyOf(raw) };
}

/** A delivery that nobody signs: a hint to look, and no more. */
export const unsigned = (raw: Uint8Array): DeliveryRead | Refused =>
  raw.byteLength > mostBytes ? refused(413, 'the delivery is too long') : { is: 'read', body: bodyOf(raw) };

function bodyOf(raw: Uint8Array): unknown {
  const json = jsonOf(raw);
  return json.is === 'json' ? json.value : undefined;
}
