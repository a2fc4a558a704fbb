import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeConfig } from '@counterfoil/contract/brand.ts';
import type { DrawPage, FirstPaint } from '@counterfoil/contract/first-paint.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { compressed } from '../answers/compressed.ts';
import { sendProblem } from '../answers/problems.ts';
import type { App } from '../app-type.ts';
import { contentSecurityPolicy, NO_ROBOTS } from '../guards/security-headers.ts';
import type { PageBrand } from './page-brand.ts';
import { localeOf, readDrawer } from './page-drawers.ts';
import { fillPage } from './page-text.ts';
import { PAGES, type PageName } from './portal-files.ts';
import { type PreviewPagesDeps, previewPages } from './preview-pages.ts';

export interface PagesDeps extends PreviewPagesDeps {
  readonly brandOfHost: (host: string) => Promise<PageBrand>;
  /** The same for the signed-in pages. Whose customer will sign in is not known yet: with every provider in use. */
  readonly brandOfPortal: (host: string) => Promise<PageBrand>;
  /** @param hasReturned the payer comes back from the bank */
  readonly brandOfPayLink: (token: string, hasReturned: boolean, host: string) => Promise<PageBrand>;
}

/**
 * Nothing that holds a token is disallowed: an address that may not be fetched is listed all the same where somebody
 * linked to it, because its `noindex` is never seen. What begins something by being opened is.
 */
const ROBOTS_TXT = 'User-agent: *\nDisallow: /sso/\n';

interface BuiltPage {
  readonly template: string;
  /** Absent: the browser draws the page from nothing. */
  readonly draw: DrawPage | undefined;
}

// Addresses of programs: an unknown one is answered as such, not with a page.
const PROGRAM_PATH = /^\/(v1|token|assets|sso|metrics|healthz|readyz|openapi\.json|brand\.css|_)(\/|\?|$)/;

/** The portal's pages and files. Each page carries its brand, its configuration and a policy with a nonce of its own. */
export async function pagesRoutes(app: App, deps: PagesDeps): Promise<void> {
  const pages = await readPages(deps.dist);
  if (existsSync(join(deps.dist, 'assets'))) {
    await app.register(fastifyStatic, {
      root: join(deps.dist, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      // Their address names their content: there is nothing to ask again about, and nobody wants a part of them.
      etag: false,
      lastModified: false,
      acceptRanges: false,
      index: false,
      decorateReply: false,
      allowedPath: (path) => !path.endsWith('.br') && !path.endsWith('.gz'),
    });
  }
  const page = async (
    name: PageName,
    found: Promise<PageBrand>,
    request: FastifyRequest,
    reply: FastifyReply,
    mayDraw = true,
  ) => {
    const built = pages.get(name);
    if (built === undefined) throw new AppError('server.unavailable');
    const brand = await found;
    const nonce = randomBytes(16).toString('base64url');
    setPageHeaders(reply, nonce, brand.provider);
    // Where people enter: anybody may find it. What the address says more is theirs.
    const mayBeFound = name === 'sign-in.html' && mayDraw;
    if (mayBeFound) reply.header('x-robots-tag', 'all');
    const asked = {
      ...built,
      draw: mayDraw ? built.draw : undefined,
      robots: mayBeFound ? undefined : NO_ROBOTS,
    };
    return compressed(pageText(asked, brand, nonce, deps, request), request, reply);
  };
  // `?d=` shows another host's brand where host names cannot be had, on a developer's machine say.
  const hostOf = (request: FastifyRequest): string => {
    const named = (request.query as { readonly d?: unknown }).d;
    return typeof named === 'string' && named !== '' ? named : request.host;
  };
  const ofHost = (request: FastifyRequest) => deps.brandOfHost(hostOf(request));
  const config = { access: 'public', hidden: true } as const;
  app.get('/login', { config }, (request, reply) =>
    page('sign-in.html', ofHost(request), request, reply, !saysMore(request)),
  );
  app.get('/reset-password/:token', { config }, (request, reply) =>
    page('reset-password.html', ofHost(request), request, reply),
  );
  app.get('/finish-registration/:token', { config }, (request, reply) =>
    page('finish-registration.html', ofHost(request), request, reply),
  );
  app.get<{ Params: { token: string } }>('/pay/:token', { config }, (request, reply) => {
    const hasReturned = (request.query as { readonly attempt?: unknown }).attempt !== undefined;
    const found = deps.brandOfPayLink(request.params.token, hasReturned, hostOf(request));
    return page('pay.html', found, request, reply);
  });
  // In no reseller's colours: the console is the installation's.
  const bare = { brand: null, styleSheet: '' };
  for (const path of ['/admin', '/admin/*'])
    app.get(path, { config }, (request, reply) =>
      page('console.html', Promise.resolve(bare), request, reply),
    );
  await previewPages(app, pages, deps);
  app.get('/robots.txt', { config }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/plain; charset=utf-8').send(ROBOTS_TXT),
  );
  app.setNotFoundHandler(async (request: FastifyRequest, reply) => {
    if (!isPageRequest(request)) {
      sendProblem(new AppError('request.notFound'), request, reply);
      return reply;
    }
    return page('index.html', deps.brandOfPortal(hostOf(request)), request, reply);
  });
}

/** A sign-in page that is told of single sign-on shows something else than the form, which would flash before it. */
function saysMore({ query }: FastifyRequest): boolean {
  return ['b', 'e', 'code'].some((name) => Object.hasOwn(query as object, name));
}

function isPageRequest(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // The path alone: a query may well end in '.com' (`/redirect-loader?r=https://shop.example.com`).
  const [path = ''] = request.url.split('?');
  return !PROGRAM_PATH.test(path) && !/\.\w{1,5}$/.test(path);
}

async function readPages(dist: string): Promise<Map<PageName, BuiltPage>> {
  const found = PAGES.filter((name) => existsSync(join(dist, name)));
  const built = await Promise.all(
    found.map(async (name) => {
      const [template, draw] = await Promise.all([
        readFile(join(dist, name), 'utf8'),
        readDrawer(dist, name),
      ]);
      return [name, { template, draw }] as const;
    }),
  );
  return new Map(built);
}

function pageText(
  { template, draw, robots }: BuiltPage & { readonly robots: string | undefined },
  { brand, styleSheet, legal, payment }: PageBrand,
  nonce: string,
  { clock, passwords }: PagesDeps,
  request: FastifyRequest,
): string {
  const config: RuntimeConfig = { apiHost: '', resellerApiHost: '', brand, passwords };
  if (draw === undefined) return fillPage(template, { nonce, config, styleSheet, legal, robots });
  const from: FirstPaint = {
    locale: localeOf(request.headers['accept-language']),
    now: clock.now().toISOString(),
    payment: payment ?? null,
  };
  const markup = () => {
    try {
      return draw(config, from);
    } catch (err) {
      // The browser draws the page then, and shows what is wrong with it.
      request.log.error({ err }, 'a page could not be drawn');
      return '';
    }
  };
  return fillPage(template, { nonce, config, styleSheet, legal, robots, drawn: { markup: markup(), from } });
}

function setPageHeaders(reply: FastifyReply, nonce: string, provider: PageBrand['provider']): void {
  void reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(
      'content-security-policy',
      contentSecurityPolicy({
        nonce,
        ...(provider === undefined
          ? {}
          : { scripts: provider.script, frames: provider.frame, connections: provider.connect }),
      }),
    );
}
