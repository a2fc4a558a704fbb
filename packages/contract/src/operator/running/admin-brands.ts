import * as z from 'zod/mini';
import { brandSettingsToSet, DEFAULT_COLOURS, storedResellerSettings } from '../../brand.ts';
import { MAIL_PLACEHOLDERS, type MailKind } from '../../mail-texts.ts';
import { pageLimit, said } from '../parts.ts';

/** What a provider's programs call about brands and about their reseller: `/v1/admin/brands`, `/v1/admin/reseller`. */

const line = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'holds control characters' }),
  );
const id = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));

export const adminBrandParams = z.object({ id: said(id, 'Of the brand; a number.') });
export const brandReference = z.object({
  reference: said(line(200), 'The provider’s own name of a brand, unique within the reseller.'),
});
export const brandImageParams = z.extend(adminBrandParams, {
  kind: said(z.enum(['logo', 'banner']), 'Which picture.'),
});

/** Of brands and of resellers, which are numbered. */
export const brandListQuery = z.object({
  limit: pageLimit,
  cursor: said(z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/))), '`nextCursor` of the page before.'),
});

const exampleColours = [...DEFAULT_COLOURS];

/** Body of `PUT /v1/admin/brands/by-reference/{reference}`: all that is kept; what is left out takes its default. */
export const brandValues = z
  .strictObject({
    name: said(line(200), 'Its name.'),
    companyName: said(
      z._default(z.nullable(line(200)), null),
      'On receipts and the pay page; null: its name.',
    ),
    colours: said(
      z._default(z.array(z.string().check(z.maxLength(20))).check(z.length(7)), exampleColours),
      'Seven: page, accent, muted text, selection, header, hover, lines. Such as `#3598db`.',
    ),
    currency: said(z._default(z.string().check(z.regex(/^[A-Z]{3}$/)), 'USD'), 'ISO 4217.'),
    timeZone: said(z._default(z.string().check(z.maxLength(64)), 'UTC'), 'Such as `Pacific/Auckland`.'),
    hosts: said(
      z._default(z.array(line(253)).check(z.maxLength(50)), []),
      'Names of hosts that show it; the first is the main one, whose address links carry.',
    ),
    settings: said(
      z.prefault(z.strictObject(brandSettingsToSet.shape), {}),
      'Labels, areas, extra columns, fees, mails in its own words; each has a default.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          name: 'Northline',
          timeZone: 'Pacific/Auckland',
          currency: 'NZD',
          hosts: ['bills.northline.example'],
        },
      ],
    }),
  );
export type BrandValues = z.output<typeof brandValues>;

const contrastPair = z.object({
  theme: said(z.enum(['light', 'dark']), 'Of the pages.'),
  foreground: said(z.string(), 'The role of the text or graphic, such as `accent-text`.'),
  ground: said(z.string(), 'The role that it stands on.'),
  foregroundColour: said(z.string(), 'What the role has become, `#rrggbb`.'),
  groundColour: said(z.string(), 'The same of the ground.'),
  contrast: said(z.number(), 'WCAG 2, from 1 to 21, two decimals.'),
  least: said(z.number(), 'What is promised for every brand.'),
});

const exampleBrand = {
  id: 4101,
  reference: 'northline',
  name: 'Northline',
  companyName: 'Northline',
  colours: exampleColours,
  currency: 'NZD',
  timeZone: 'Pacific/Auckland',
  hosts: ['bills.northline.example'],
  settings: { bulkPay: true },
  images: { logo: true, banner: false },
};

/** A brand as programs are told of it. */
export const adminBrand = z
  .object({
    id: said(z.int(), 'Its number; calls about it name it.'),
    reference: said(z.nullable(z.string()), 'The provider’s own; null where it was made without one.'),
    name: said(z.string(), 'Its name.'),
    companyName: said(z.string(), 'On receipts and the pay page.'),
    colours: said(z.array(z.string()), 'Seven, in their order.'),
    currency: said(z.string(), 'ISO 4217.'),
    timeZone: said(z.string(), 'For periods, due dates and Auto-Pay.'),
    hosts: said(z.array(z.string()), 'The main one first.'),
    settings: said(
      z.record(z.string(), z.unknown()),
      'All of them, with the defaults of those that are not set.',
    ),
    images: said(z.object({ logo: z.boolean(), banner: z.boolean() }), 'Whether it has pictures of its own.'),
  })
  .check(
    z.meta({
      examples: [exampleBrand],
    }),
  );
export type AdminBrand = z.infer<typeof adminBrand>;

/** The same with what becomes of its colours. */
export const adminBrandDetail = z
  .extend(adminBrand, {
    contrasts: said(
      z.array(contrastPair),
      'Every pair of colours that pages promise to keep readable, after the brand’s colours were moved as far as that needs.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          ...exampleBrand,
          contrasts: [
            {
              theme: 'light',
              foreground: 'accent-text',
              ground: 'surface',
              foregroundColour: '#0078c1',
              groundColour: '#ffffff',
              contrast: 4.68,
              least: 4.5,
            },
          ],
        },
      ],
    }),
  );
export type AdminBrandDetail = z.infer<typeof adminBrandDetail>;

/** The standard words of a mail, which a brand's own ones (setting `mailTexts`) take the place of. */
export const standardMailText = z
  .object({
    kind: said(
      z.enum(Object.keys(MAIL_PLACEHOLDERS) as [MailKind, ...MailKind[]]),
      'Which mail; its name in `settings.mailTexts`.',
    ),
    placeholders: said(
      z.array(z.string()),
      'What may stand in braces, such as `{companyName}`; the values take its place. Others are refused.',
    ),
    subject: said(z.string(), 'One line, at most 200 characters.'),
    heading: said(z.string(), 'The same, above the text.'),
    text: said(z.string(), 'Plain text, at most 4,000 characters; a blank line begins another paragraph.'),
    button: said(z.string(), 'On the button, where the mail has one.'),
  })
  .check(
    z.meta({
      examples: [
        {
          kind: 'reset',
          placeholders: ['companyName', 'username'],
          subject: 'Choose a new password for {companyName}',
          heading: 'Choose a new password',
          text: 'A new password was asked for at {companyName}. The link below works once, for one hour.',
          button: 'Choose a new password',
        },
      ],
    }),
  );
export type StandardMailText = z.infer<typeof standardMailText>;

/** Where the screens of a draft are drawn. */
export const brandPreview = z
  .object({
    url: said(
      z.string(),
      'Beginning of their addresses: `/sign-in`, `/dashboard`, `/pay`, `/mail` and `/letter` (a PDF) follow it, `?theme=dark` where that is wanted, and `?kind=reset` for another mail than a receipt. Whoever has it sees the draft.',
    ),
    expiresAt: said(z.string(), 'ISO 8601; an hour after it was made.'),
  })
  .check(
    z.meta({
      examples: [{ url: '/brand-preview/q1mZ3v0w6bq8yV0m7h1e2A', expiresAt: '2026-03-14T11:30:00.000Z' }],
    }),
  );
export type BrandPreview = z.infer<typeof brandPreview>;

export const brandPage = z.object({
  data: z.array(adminBrand),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** Body of `PUT /v1/admin/reseller`. */
export const resellerValues = z
  .strictObject({
    name: said(line(200), 'Shown in the header after the sign-in.'),
    settings: said(
      z.prefault(z.strictObject(storedResellerSettings.shape), {}),
      'Each has a default; what is left out takes it.',
    ),
  })
  .check(z.meta({ examples: [{ name: 'Northline Telecom', settings: { dataUsageChart: true } }] }));
export type ResellerValues = z.output<typeof resellerValues>;

/** A reseller as programs are told of it. */
export const adminReseller = z
  .object({
    id: said(z.int(), 'Its number, which calls of the installation name in `X-Reseller-Id`.'),
    reference: said(z.nullable(z.string()), 'The installation’s own; null where it was made without one.'),
    name: said(z.string(), 'Shown in the header after the sign-in.'),
    settings: said(
      z.record(z.string(), z.unknown()),
      'All of them, with the defaults of those that are not set.',
    ),
  })
  .check(
    z.meta({
      examples: [
        { id: 4100, reference: 'northline', name: 'Northline Telecom', settings: { dataUsageChart: true } },
      ],
    }),
  );
export type AdminReseller = z.infer<typeof adminReseller>;

export const resellerReference = z.object({
  reference: said(line(200), 'The installation’s own name of a reseller.'),
});
export const resellerPage = z.object({
  data: z.array(adminReseller),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});
