import type { BrandSettings, RuntimeConfig } from '@counterfoil/contract/brand.ts';
import type { FirstPaint } from '@counterfoil/contract/first-paint.ts';

/** Where a page leads at its foot. */
export interface PageLink {
  readonly label: string;
  readonly url: string;
}

export interface PageFilling {
  readonly nonce: string;
  readonly config: RuntimeConfig;
  /** The custom properties of the brand's colours. */
  readonly styleSheet: string;
  /** Pages of the provider that its own lead to. */
  readonly legal?: readonly PageLink[] | undefined;
  /** What search engines are told; absent: they may list the page. */
  readonly robots?: string | undefined;
  /** Absent: the browser draws the page from nothing. */
  readonly drawn?: { readonly markup: string; readonly from: FirstPaint } | undefined;
}

/** Fills a page of the built portal. What others wrote comes last, so that nothing in it is taken for a gap. */
export function fillPage(template: string, filling: PageFilling): string {
  const { nonce, config, styleSheet, robots, drawn, legal = [] } = filling;
  const { brand } = config;
  const data = json('runtime-config', config) + (drawn ? json('first-paint', drawn.from) : '');
  return template
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('<html lang="en"', () => `<html lang="${escapeHtml(brand?.language ?? 'en')}"`)
    .replace('<div id="root"></div>', () => `<div id="root">${drawn?.markup ?? ''}</div>${legalFoot(legal)}`)
    .replace('<!--runtime-config-->', () => data)
    .replace(
      '<!--brand-head-->',
      () =>
        `${brandHead(brand, robots)}\n    <style nonce="${nonce}">${styleSheet}${legal.length > 0 ? LEGAL_STYLE : ''}</style>`,
    );
}

function brandHead(brand: BrandSettings | null, robots: string | undefined): string {
  return [
    ...(robots === undefined ? [] : [`<meta name="robots" content="${robots}">`]),
    `<title>${escapeHtml(brand?.companyName ?? 'Billing portal')}</title>`,
    `<meta name="description" content="${escapeHtml(`See and pay your bills from ${brand?.companyName ?? 'your provider'}`)}">`,
    `<meta name="theme-color" content="${escapeHtml(brand?.colour5 ?? '#005e80')}">`,
    `<link rel="icon" href="/v1/brands/${brand?.id ?? 0}/logo">`,
  ].join('\n    ');
}

function json(id: string, value: unknown): string {
  // A closing tag inside the JSON must not end the element.
  const text = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${id}">${text}</script>`;
}

/**
 * The foot is the server's: the portal's own code does not know it. It stands at the end of the window where a page is shorter, and
 * a page that fills the window leaves room for it.
 */
const LEGAL_STYLE =
  '\n@media screen{body{display:flex;flex-direction:column;min-block-size:100dvh}#root{flex:1 0 auto;min-inline-size:0}' +
  '#root>:only-child{min-block-size:calc(100dvh - 3.25rem)}}' +
  '.legal{display:flex;flex-wrap:wrap;justify-content:center;gap:0 1.25rem;padding:.25rem 1rem;border-block-start:1px solid var(--line);background:var(--surface)}' +
  '.legal a{display:inline-flex;align-items:center;min-block-size:2.75rem;color:var(--ink-muted);font-size:.875rem}' +
  '@media print{.legal{display:none}}';

function legalFoot(links: readonly PageLink[]): string {
  if (links.length === 0) return '';
  const parts = links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" rel="noreferrer">${escapeHtml(label)}</a>`,
  );
  return `<footer class="legal">${parts.join('')}</footer>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as markup, also within quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
