import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrandSettings, RuntimeConfig } from '@counterfoil/contract/brand.ts';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { sha256 } from '../secrets.ts';
import type { App } from './app.ts';
import { sendProblem } from './problems.ts';
import { contentSecurityPolicy } from './security-headers.ts';

/** What a page needs to be the brand's from its first paint. */
export interface PageBrand {
  readonly brand: BrandSettings | null;
  /** Origins of the payment provider, where the page takes payments. */
  readonly provider?: {
    readonly script: readonly string[];
    readonly frame: readonly string[];
    readonly connect: readonly string[];
  };
}

export interface PagesDeps {
  /** Folder of the built portal. */
  readonly dist: string;
  readonly brandOfHost: (host: string) => Promise<PageBrand>;
  readonly brandOfPayLink: (token: string) => Promise<PageBrand>;
  /** What a new password is measured by, for the pages that take one. */
  readonly passwords: RuntimeConfig['passwords'];
}

const PAGES = [
  'index.html',
  'sign-in.html',
  'reset-password.html',
  'finish-registration.html',
  'pay.html',
] as const;
type PageName = (typeof PAGES)[number];
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
      index: false,
      decorateReply: false,
      allowedPath: (path) => !path.endsWith('.br') && !path.endsWith('.gz'),
    });
  }
  const page = async (name: PageName, found: Promise<PageBrand>, reply: FastifyReply) => {
    const text = pages.get(name);
    if (text === undefined) throw new AppError('server.unavailable');
    return sendPage(text, await found, deps.passwords, reply);
  };
  // `?d=` shows another host's brand where host names cannot be had, on a developer's machine say.
  const ofHost = (request: FastifyRequest) => {
    const named = (request.query as { readonly d?: unknown }).d;
    return deps.brandOfHost(typeof named === 'string' && named !== '' ? named : request.host);
  };
  const config = { access: 'public', hidden: true } as const;
  app.get('/login', { config }, (request, reply) => page('sign-in.html', ofHost(request), reply));
  app.get('/reset-password/:token', { config }, (request, reply) =>
    page('reset-password.html', ofHost(request), reply),
  );
  app.get('/finish-registration/:token', { config }, (request, reply) =>
    page('finish-registration.html', ofHost(request), reply),
  );
  app.get<{ Params: { token: string } }>('/pay/:token', { config }, (request, reply) =>
    page('pay.html', deps.brandOfPayLink(request.params.token), reply),
  );
  app.setNotFoundHandler(async (request: FastifyRequest, reply) => {
    if (!isPageRequest(request)) {
      sendProblem(new AppError('request.notFound'), request, reply);
      return reply;
    }
    return page('index.html', ofHost(request), reply);
  });
}

function isPageRequest(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return !PROGRAM_PATH.test(request.url) && !/\.\w{1,5}(\?|$)/.test(request.url);
}

async function readPages(dist: string): Promise<Map<PageName, string>> {
  const found = PAGES.filter((name) => existsSync(join(dist, name)));
  const texts = await Promise.all(found.map((name) => readFile(join(dist, name), 'utf8')));
  return new Map(found.map((name, index) => [name, texts[index] ?? '']));
}

function sendPage(
  text: string,
  { brand, provider }: PageBrand,
  passwords: RuntimeConfig['passwords'],
  reply: FastifyReply,
): string {
  const nonce = randomBytes(16).toString('base64url');
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
  return text
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('<!--brand-head-->', () => brandHead(brand))
    .replace('<!--runtime-config-->', () =>
      runtimeConfig({ apiHost: '', resellerApiHost: '', brand, passwords }),
    )
    .replace('<html lang="en"', `<html lang="${escapeHtml(brand?.language ?? 'en')}"`);
}

function brandHead(brand: BrandSettings | null): string {
  const id = brand?.id ?? 0;
  const version = sha256(JSON.stringify(brand ?? {}))
    .toString('hex')
    .slice(0, 12);
  return [
    `<title>${escapeHtml(brand?.companyName ?? 'Billing portal')}</title>`,
    `<meta name="description" content="${escapeHtml(`See and pay your bills from ${brand?.companyName ?? 'your provider'}`)}">`,
    `<meta name="theme-color" content="${escapeHtml(brand?.colour5 ?? '#005e80')}">`,
    `<link rel="icon" href="/v1/brands/${id}/logo">`,
    `<link rel="stylesheet" href="/brand.css?b=${id}&amp;v=${version}">`,
  ].join('\n    ');
}

function runtimeConfig(config: RuntimeConfig): string {
  // A closing tag inside the JSON must not end the element.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="runtime-config">${json}</script>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
