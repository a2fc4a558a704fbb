import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';

/** Directives of a page's Content-Security-Policy beyond the strict base. */
export interface PagePolicy {
  readonly nonce: string;
  /** Origins of the payment provider's script, frames and calls; empty where the page has none. */
  readonly scripts?: readonly string[];
  readonly frames?: readonly string[];
  readonly connections?: readonly string[];
}

/** No inline script or style without this response's nonce, nothing from elsewhere but the provider named. */
export function contentSecurityPolicy(policy: PagePolicy): string {
  const more = (origins: readonly string[] | undefined) =>
    (origins ?? []).map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${policy.nonce}'${more(policy.scripts)}`,
    `style-src 'self' 'nonce-${policy.nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${more(policy.connections)}`,
    `frame-src 'self' blob:${more(policy.frames)}`,
    // A provider's form may be posted into its frame.
    `form-action 'self'${more(policy.frames)}`,
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a portal for bills has no use for; a payment provider's frame may be given `payment`. */
const PERMISSIONS = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .concat('payment=(self)')
  .join(', ');

/** What search engines are told: not to list an address, which may be all it takes to read a bill, nor to follow it. */
export const NO_ROBOTS = 'noindex, nofollow';

/** The policy of an answer that is no page. */
export const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** What every answer carries, whatever it is. */
export function safetyHeaders(https: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': NOTHING,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    // Bills are no search results; the one page that may be one says so itself.
    'x-robots-tag': NO_ROBOTS,
    ...(https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
    // Whatever may concern a person stays out of every cache; what may not says so itself.
    'cache-control': 'no-store',
  };
}

/** Headers of every answer, errors included; a page replaces the policy by its own, and parts of pages need fewer. */
export function securityHeaders(app: App, options: { readonly https: boolean }): void {
  const headers = Object.entries(safetyHeaders(options.https));
  const ofPart = headers.filter(([name]) => !OF_DOCUMENTS.has(name));
  app.addHook('onSend', async (_request, reply) => setMissing(reply, isPart(reply) ? ofPart : headers));
}

/** What a browser heeds on a document alone: on a script or a style sheet it would be bytes. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
]);

/** A script or style sheet of the built portal: a file that says it never changes. */
function isPart(reply: FastifyReply): boolean {
  const kept = String(reply.getHeader('cache-control') ?? '');
  const type = String(reply.getHeader('content-type') ?? '');
  return kept.endsWith('immutable') && /^(?:text|application)\/(?:javascript|css)\b/.test(type);
}

/** The same for the few answers that no hook sees: those to an address that cannot be read. */
export function setSecurityHeaders(reply: FastifyReply, https: boolean): void {
  setMissing(reply, Object.entries(safetyHeaders(https)));
}

function setMissing(reply: FastifyReply, headers: readonly (readonly [string, string])[]): void {
  for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
}
