import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

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
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The policy of an answer that is no page. */
export const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer, errors and files included; a page replaces the policy by its own. */
export function securityHeaders(app: App, options: { readonly https: boolean }): void {
  app.addHook('onSend', async (request, reply) => setSecurityHeaders(request, reply, options.https));
}

/** The same for the few answers that no hook sees: those to an address that cannot be read. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, https: boolean): void {
  const set = (name: string, value: string) => {
    if (!reply.hasHeader(name)) reply.header(name, value);
  };
  set('content-security-policy', NOTHING);
  set('x-content-type-options', 'nosniff');
  set('referrer-policy', 'same-origin');
  set('cross-origin-opener-policy', 'same-origin');
  set('cross-origin-resource-policy', 'same-origin');
  set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self), usb=()');
  if (https) set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  // Whatever concerns a person stays out of every cache.
  if (request.url.startsWith('/v1/') || request.url.startsWith('/token')) set('cache-control', 'no-store');
}
