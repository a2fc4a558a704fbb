import { randomBytes } from 'node:crypto';
import type { PortalSettings, RuntimeConfig } from '@counterfoil/contract/brand.ts';
import type { DrawDashboard, DrawPage, FirstPaint } from '@counterfoil/contract/first-paint.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../app-type.ts';
import type { PageBrand } from './page-brand.ts';
import { localeOf, readDrawer } from './page-drawers.ts';
import { fillPage } from './page-text.ts';
import type { PageName } from './portal-files.ts';

/** A draft of a brand as pages are drawn with it. */
export interface PreviewBrand extends PageBrand {
  readonly settings: PortalSettings;
  /** Which pictures it has of its own; nothing runs in a preview that would fall back to the built-in ones. */
  readonly images: { readonly logo: boolean; readonly banner: boolean };
}

export interface PreviewPagesDeps {
  /** Folder of the built portal. */
  readonly dist: string;
  readonly clock: Clock;
  /** What a new password is measured by, for the pages that take one. */
  readonly passwords: RuntimeConfig['passwords'];
  /** @returns undefined for an unknown address and for one that is over */
  readonly brandOfPreview: (token: string) => Promise<PreviewBrand | undefined>;
}

type Pages = ReadonlyMap<PageName, { readonly template: string; readonly draw: DrawPage | undefined }>;

const screens = { 'sign-in': 'sign-in.html', pay: 'pay.html', dashboard: 'index.html' } as const;
type Screen = keyof typeof screens;

/**
 * The portal's own pages in the dress of a draft, drawn by the server with sample data. No script is in them and none would run,
 * so that whoever looks can press nothing; pages of ours may show them in a frame.
 */
export async function previewPages(app: App, pages: Pages, deps: PreviewPagesDeps): Promise<void> {
  // Read when it is first asked for: it holds half of the portal, and few servers ever draw it.
  let dashboard: Promise<DrawDashboard | undefined> | undefined;
  const drawDashboard: DrawDashboard = async (...args) => {
    dashboard ??= readDrawer<DrawDashboard>(deps.dist, 'dashboard.html');
    return (await (await dashboard)?.(...args)) ?? '';
  };
  const draw = async (screen: Screen, brand: PreviewBrand, config: RuntimeConfig, from: FirstPaint) =>
    screen === 'dashboard'
      ? await drawDashboard(config, from, brand.settings)
      : (pages.get(screens[screen])?.draw?.(config, from) ?? '');
  app.get(
    '/brand-preview/:token/:screen',
    {
      config: { access: 'public', hidden: true },
      schema: {
        params: z.object({
          token: z.string().check(z.minLength(1), z.maxLength(64)),
          screen: z.enum(['sign-in', 'pay', 'dashboard']),
        }),
        querystring: z.object({ theme: z._default(z.enum(['light', 'dark']), 'light') }),
      },
    },
    async (request, reply) => {
      const { token, screen } = request.params;
      const brand = await deps.brandOfPreview(token);
      const template = pages.get(screens[screen])?.template;
      if (brand === undefined || template === undefined) throw new AppError('brand.notFound');
      const nonce = randomBytes(16).toString('base64url');
      const config: RuntimeConfig = {
        apiHost: '',
        resellerApiHost: '',
        brand: brand.brand,
        passwords: deps.passwords,
      };
      const from: FirstPaint = {
        locale: localeOf(request.headers['accept-language']),
        now: deps.clock.now().toISOString(),
        payment: brand.payment ?? null,
      };
      const markup = await draw(screen, brand, config, from);
      const { styleSheet, legal } = brand;
      const text = fillPage(template, { nonce, config, styleSheet, legal, drawn: { markup, from } });
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy(nonce))
        .send(asPreview(text, brand, request.query.theme));
    },
  );
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // The same origin, for its style sheets and fonts; no scripts, no forms, no way out of the frame.
    'sandbox allow-same-origin',
  ].join('; ');

/** Without scripts, in the theme that was chosen, and with the built-in pictures where the brand has none. */
function asPreview(text: string, { brand, images }: PreviewBrand, theme: 'light' | 'dark'): string {
  const missing = (['logo', 'banner'] as const).filter((kind) => !images[kind]);
  return missing.reduce(
    (page, kind) => page.replaceAll(`/v1/brands/${brand?.id ?? 0}/${kind}`, `/v1/brands/0/${kind}`),
    text
      .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
      .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
      .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, '')
      .replace('<html ', `<html data-theme="${theme}" `),
  );
}
