import { errors } from '@counterfoil/contract/errors.ts';
import type { App } from './app.ts';
import { anchorOf, memberTable, renderCall } from './docs-page-call.ts';
import { code, escapeHtml, table } from './docs-page-html.ts';
import { membersOf } from './docs-page-schema.ts';
import { docsStyle } from './docs-page-style.ts';
import { introduction } from './docs-page-words.ts';
import { type OpenapiDocument, type Operation, operationsOf } from './openapi-document.ts';

/** Nothing runs on this page and nothing comes from elsewhere. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SECONDS = 60;

/** `/docs`: the document of `/openapi.json` for people, written by the server, without scripts. */
export function docsPage(app: App): void {
  const config = { access: 'public', hidden: true } as const;
  let page: string | undefined;
  app.get('/docs', { config }, async (_request, reply) => {
    page ??= renderDocs(await app.openapi());
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .header('cache-control', `public, max-age=${SECONDS}`)
      .send(page);
  });
  app.get('/docs.css', { config }, async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header('cache-control', `public, max-age=${SECONDS}`)
      .send(docsStyle),
  );
}

/** The whole page. @returns HTML */
export function renderDocs(document: OpenapiDocument): string {
  const features = byFeature(operationsOf(document));
  const { title, version } = document.info;
  const schemas = document.components?.schemas ?? {};
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)} API</title>`,
    `<meta name="description" content="Every call of the ${escapeHtml(title)} API">`,
    '<link rel="stylesheet" href="/docs.css">',
    '<link rel="icon" href="/v1/brands/0/logo">',
    '</head>',
    '<body>',
    '<a class="skip" href="#content">Skip to the calls</a>',
    `<header><h1>${escapeHtml(title)} API</h1><p>Version ${escapeHtml(version)}. For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p></header>`,
    `<div class="page"><nav aria-label="Calls">${contents(features)}</nav>`,
    '<main id="content">',
    introduction,
    '<section id="errors" aria-labelledby="errors-name">',
    '<h2 id="errors-name">Errors</h2>',
    '<p>Outside <code>/token</code> a refusal is <code>application/problem+json</code> (RFC 9457). Programs read <code>code</code>; people read <code>message</code>; <code>requestId</code> finds the request in the log.</p>',
    memberTable('A refusal, application/problem+json', membersOf(schemas['Problem'] ?? {}, schemas)),
    errorTable(),
    '</section>',
    ...[...features].map(([feature, operations]) =>
      [
        `<section id="${feature}" aria-labelledby="${feature}-name">`,
        `<h2 id="${feature}-name">${titleOf(feature)}</h2>`,
        ...operations.map((operation) => renderCall(operation, schemas)),
        '</section>',
      ].join('\n'),
    ),
    '</main></div>',
    '</body>',
    '</html>',
  ].join('\n');
}

function byFeature(operations: readonly Operation[]): Map<string, Operation[]> {
  const features = new Map<string, Operation[]>();
  for (const operation of operations) {
    const feature = operation.tags?.[0] ?? 'other';
    features.set(feature, [...(features.get(feature) ?? []), operation]);
  }
  return features;
}

/** 'public-pay' as a heading: 'Public pay'. */
function titleOf(feature: string): string {
  const words = feature.replaceAll('-', ' ');
  return escapeHtml(words.charAt(0).toUpperCase() + words.slice(1));
}

function contents(features: ReadonlyMap<string, readonly Operation[]>): string {
  const parts = [
    '<li><a href="#signing-in">Signing in</a></li>',
    '<li><a href="#answers">Answers</a></li>',
    '<li><a href="#errors">Errors</a></li>',
    ...[...features].map(([feature, operations]) => {
      const calls = operations.map(
        (operation) =>
          `<li><a href="#${anchorOf(operation)}"><span class="method">${operation.method}</span> ${escapeHtml(operation.path).replaceAll('/', '/<wbr>')}</a></li>`,
      );
      return `<li><a href="#${feature}">${titleOf(feature)}</a><ul>${calls.join('')}</ul></li>`;
    }),
  ];
  return `<ul>${parts.join('')}</ul>`;
}

function errorTable(): string {
  const rows = Object.entries(errors).map(([name, { status, text }]) => [
    code(name),
    String(status),
    escapeHtml(text),
  ]);
  return table('Codes', ['Code', 'Status', 'Message'], rows);
}
