import * as z from 'zod/mini';
import { customerNamed, exactRate, maybe, nextCursor, ownedParts, said, textLine } from '../parts.ts';

/** What a provider's programs call about bundles and what is used of them: `/v1/admin/bundles`. */

const above0 = { error: 'is not above 0' };
const positiveRate = (what: string) => exactRate(what).check(z.refine((text) => Number(text) > 0, above0));

const exampleProduct = {
  name: 'Mobile data',
  serviceItem: null,
  recordTypes: [{ service: 'data', recordType: 'mobile' }],
  quantity: '20',
  unitLabel: 'GB',
  recordUnits: '1024',
  used: null,
};

const bundleProduct = z.strictObject({
  name: said(textLine(200), 'What it is.'),
  serviceItem: said(
    maybe(textLine(200)),
    'Whose usage counts: the reference, name or id of a service item of the customer; null: that of all.',
  ),
  recordTypes: said(
    z._default(
      z
        .array(
          z.strictObject({
            service: said(textLine(100), 'The code of the service.'),
            recordType: said(textLine(100), 'The code of the record type.'),
          }),
        )
        .check(z.maxLength(50)),
      [],
    ),
    'Which records count, as long as `used` does not say what was used.',
  ),
  quantity: positiveRate('How much there is of it each month.'),
  unitLabel: said(
    z._default(z.string().check(z.trim(), z.maxLength(40)), ''),
    'Stands beside the quantity, such as `GB`.',
  ),
  recordUnits: z._default(
    positiveRate(
      'How many units of the records make one of the quantity: 60 for minutes of calls measured in seconds.',
    ),
    '1',
  ),
  used: maybe(
    exactRate(
      'What was used of it in `usedMonth`, where the provider counts itself; null: counted from the usage records.',
    ).check(z.refine((text) => !text.startsWith('-'), { error: 'is below 0' })),
  ),
});

const exampleBundle = {
  name: 'Business Connect',
  position: 0,
  usedMonth: null,
  products: [exampleProduct],
};

/** Body of `PUT /v1/admin/bundles/by-reference/{reference}`: all that is kept. */
export const bundleValues = z
  .strictObject({
    customer: customerNamed,
    name: said(textLine(200), 'What the dashboard shows; within the customer once.'),
    position: said(
      z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 0),
      'The order on the dashboard.',
    ),
    usedMonth: said(
      maybe(z.string().check(z.regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/))),
      'The month, `YYYY-MM`, of which `used` speaks. In any other month usage is counted from the records.',
    ),
    products: said(z.array(bundleProduct).check(z.minLength(1), z.maxLength(50)), 'In their order.'),
  })
  .check(z.meta({ examples: [{ customer: 'C-1001', ...exampleBundle }] }));
export type BundleValues = z.output<typeof bundleValues>;

/** A bundle as programs are told of it. */
export const adminBundle = z
  .object({
    ...ownedParts,
    name: said(z.string(), 'What the dashboard shows.'),
    position: said(z.int(), 'The order on the dashboard.'),
    usedMonth: said(z.nullable(z.string()), 'The month of which `used` speaks.'),
    products: z.array(
      z.object({
        name: z.string(),
        serviceItem: said(
          z.nullable(z.string()),
          'The provider’s own reference of the service item, else our id of it.',
        ),
        recordTypes: z.array(z.object({ service: z.string(), recordType: z.string() })),
        quantity: z.string(),
        unitLabel: z.string(),
        recordUnits: z.string(),
        used: z.nullable(z.string()),
      }),
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b35',
          reference: 'B-1',
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          customer: 'C-1001',
          ...exampleBundle,
        },
      ],
    }),
  );
export const bundlePage = z.object({ data: z.array(adminBundle), nextCursor });
