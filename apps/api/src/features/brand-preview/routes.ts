import { envelope } from '@counterfoil/contract/envelope.ts';
import { isMailKind, MAIL_PLACEHOLDERS } from '@counterfoil/contract/mail-texts.ts';
import {
  adminBrandParams,
  brandPreview,
  brandValues,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { type PdfRenderer, renderPdf } from '../../letters/pdf-service.ts';
import { readLogo } from '../../letters/read-logo.ts';
import { sampleMails } from '../../mail/samples.ts';
import { sampleInvoiceLetter } from '../invoices/service.ts';
import { makePreview, type PreviewedBrand, previewOf } from './service.ts';

interface PreviewDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: URL;
  readonly mailFrom: string;
  readonly pdf: PdfRenderer;
}

const kinds = Object.keys(MAIL_PLACEHOLDERS).filter(isMailKind);
const token = z.object({ token: z.string().check(z.minLength(1), z.maxLength(64)) });
const screen = {
  theme: z._default(z.enum(['light', 'dark']), 'light'),
  kind: z._default(z.enum(kinds as [(typeof kinds)[number], ...typeof kinds]), 'receipt'),
  /** The page of a mail has no room for its subject. */
  only: z.optional(z.enum(['subject'])),
};

/** A mail runs and loads nothing; its colours stand at each element. Pages of ours may show it in a frame. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";
const LETTER_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; plugin-types application/pdf; frame-ancestors 'self'";

/** Drafts of brands, drawn before they are published. The pages among their screens are served beside the portal's. */
export function brandPreviewRoutes(app: App, deps: PreviewDeps): void {
  const { db, clock } = deps;
  app.post(
    '/v1/admin/brands/:id/previews',
    {
      config: { access: 'program', scope: 'brands:read', refusals: ['brand.notFound', 'brand.refused'] },
      schema: {
        tags: ['brand'],
        operationId: 'previewBrand',
        summary: 'Keeps a draft of a brand for an hour and tells where its screens are drawn',
        description:
          'The body is that of a change. Sign-in, dashboard, pay page, a mail and an invoice are drawn with the draft and with sample data; nothing that is published changes.',
        params: adminBrandParams,
        body: brandValues,
        response: { 201: envelope(brandPreview) },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      const data = await db.transaction((tx) => makePreview(tx, at, request.body, clock.now()));
      return reply.status(201).send({ data });
    },
  );

  const draftOf = async (shown: string): Promise<PreviewedBrand> => {
    const found = await previewOf(db, shown, clock.now());
    if (found === undefined) throw new AppError('brand.notFound');
    return found;
  };
  const config = { access: 'public', hidden: true } as const;
  app.get(
    '/brand-preview/:token/mail',
    { config, schema: { params: token, querystring: z.object(screen) } },
    async (request, reply) => {
      const { brand } = await draftOf(request.params.token);
      const { theme, kind, only } = request.query;
      const { publicUrl, mailFrom } = deps;
      const parts = {
        brand,
        to: 'ada@harbour.example',
        now: clock.now(),
        id: 'preview',
        mailFrom,
        publicUrl,
      };
      const { subject, html } = sampleMails(parts)[kind];
      void reply.header('content-security-policy', MAIL_POLICY);
      return only === 'subject'
        ? reply.type('text/plain; charset=utf-8').send(subject)
        : reply.type('text/html; charset=utf-8').send(inTheme(html, theme));
    },
  );

  app.get('/brand-preview/:token/letter', { config, schema: { params: token } }, async (request, reply) => {
    const { brand } = await draftOf(request.params.token);
    const logo = await readLogo(db, brand.id);
    const letter = await sampleInvoiceLetter({ brand, logo, publicUrl: deps.publicUrl }, clock.now());
    return reply
      .header('content-security-policy', LETTER_POLICY)
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="preview.pdf"')
      .send(await renderPdf(deps.pdf, letter, request.raw));
  });
}

/** A mail follows the reader's theme; here the theme is chosen. */
const inTheme = (html: string, theme: 'light' | 'dark'): string =>
  html.replaceAll('@media(prefers-color-scheme:dark)', theme === 'dark' ? '@media all' : '@media not all');
