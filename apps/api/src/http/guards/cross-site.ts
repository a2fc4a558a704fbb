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

/**
 * Refuses what any page but one of this very origin makes a browser send, where a cookie is the proof: a brand's other
 * hosts and the origins it lists have no business there.
 * @throws {AppError} request.crossSite
 */
export function refuseOtherPages(request: FastifyRequest, publicUrl: URL): void {
  if (!READS.has(request.method) && isByThisOrigin(request, publicUrl) !== true)
    throw new AppError('request.crossSite');
}

async function isFromHere(request: FastifyRequest, deps: CrossSiteDeps): Promise<boolean> {
  const from = isByThisOrigin(request, deps.publicUrl);
  return typeof from === 'boolean' ? from : deps.isTrusted(from, request.host);
}

/** Whether a request was made by a page of this origin, by hand or by no browser; or by which page it may have been. */
function isByThisOrigin(request: FastifyRequest, { protocol }: URL): boolean | URL {
  const site = request.headers['sec-fetch-site'];
  // By hand of the person, or by a page of this very origin.
  if (site === 'same-origin' || site === 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return site === undefined;
  // `null`, from a sandboxed frame or a file, is no address.
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  if (protocol === 'https:' && url.protocol !== 'https:') return false;
  // Scheme, host and port: what listens at another port of the same host is another site.
  return (url.protocol === protocol && url.host === hostOf(request, url)) || url;
}

/** The host asked for, written as it stands in an origin of that scheme: without the scheme's own port. */
function hostOf(request: FastifyRequest, { protocol }: URL): string | undefined {
  return URL.parse(`${protocol}//${request.host}`)?.host;
}
