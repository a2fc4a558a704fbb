import type { BrandSettings, RuntimeConfig } from '@counterfoil/contract/brand.ts';
import type { FirstPaint } from '@counterfoil/contract/first-paint.ts';

export interface PageFilling {
  readonly nonce: string;
  readonly config: RuntimeConfig;
  /** The custom properties of the brand's colours. */
  readonly styleSheet: string;
  /** What search engines are told; absent: they may list the page. */
  readonly robots?: string | undefined;
  /** Absent: the browser draws the page from nothing. */
  readonly drawn?: { readonly markup: string; readonly from: FirstPaint } | undefined;
}

/** Fills a page of the built portal. What others wrote comes last, so that nothing in it is taken for a gap. */
export function fillPage(template: string, filling: PageFilling): string {
  const { nonce, config, styleSheet, robots, drawn } = filling;
  const { brand } = config;
  const data = json('runtime-config', config) + (drawn ? json('first-paint', drawn.from) : '');
  return template
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('<html lang="en"', () => `<html lang="${escapeHtml(brand?.language ?? 'en')}"`)
    .replace('<div id="root"></div>', () => `<div id="root">${drawn?.markup ?? ''}</div>`)
    .replace('<!--runtime-config-->', () => data)
    .replace(
      '<!--brand-head-->',
      () => `${brandHead(brand, robots)}\n    <style nonce="${nonce}">${styleSheet}</style>`,
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
