import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../app-type.ts';

export interface CrossSiteDeps {
  /** Its scheme is that of the portal's pages. */
  readonly publicUrl: URL;
  /** Whether a page of that origin belongs to the portal at this host, or is one its brand trusts. */
  readonly isTrusted: (origin: URL, host: string) => Promise<boolean>;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what a page of somebody else makes a browser send, wherever something is written: a sign-in, a sign-out, a
 * payment. Browsers say where a request comes from and pages cannot change that; who says nothing is no browser, and
 * nobody's cookies or address are borrowed through it.
 */
export function refuseCrossSite(app: App, deps: CrossSiteDeps): void {
  app.addHook('onRequest', async (request) => {
    if (READS.has(request.method) || request.routeOptions.config?.fromServers === true) return;
    if (!(await isFromHere(request, deps))) throw new AppError('request.crossSite');
  });
}

async function isFromHere(request: FastifyRequest, deps: CrossSiteDeps): Promise<boolean> {
  const site = request.headers['sec-fetch-site'];
  // By hand of the person, or by a page of this very origin.
  if (site === 'same-origin' || site === 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return site === undefined;
  // `null`, from a sandboxed frame or a file, is no address.
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  const { protocol } = deps.publicUrl;
  if (protocol === 'https:' && url.protocol !== 'https:') return false;
  // Scheme, host and port: what listens at another port of the same host is another site.
  const isOwn = url.protocol === protocol && url.host === hostOf(request, url);
  return isOwn || deps.isTrusted(url, request.host);
}

/** The host asked for, written as it stands in an origin of that scheme: without the scheme's own port. */
function hostOf(request: FastifyRequest, { protocol }: URL): string | undefined {
  return URL.parse(`${protocol}//${request.host}`)?.host;
}
