import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';

/** `GET /v1/admin/audit-events`, and `/export`: who did what, when and from where. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));

const filter = {
  action: said(
    z.optional(z.string().check(z.regex(/^[A-Za-z]{1,40}(\.[A-Za-z]{1,40})?$/))),
    'What was done, such as `customer.changed`.',
  ),
  actor: said(
    z.optional(text(320)),
    'Who acted, such as `key:crm`, `operator:sam@provider.example` or `cli:root`.',
  ),
  user: said(z.optional(text(320)), 'In whose account, by e-mail address.'),
  customer: said(
    z.optional(text(200)),
    'About which customer: our id of it, or the provider’s own reference.',
  ),
  since: said(z.optional(z.iso.datetime({ offset: true })), 'At this moment or later.'),
  until: said(z.optional(z.iso.datetime({ offset: true })), 'Before this moment.'),
};

export const auditQueryParams = z.object({ ...filter, limit: pageLimit, cursor });

export const auditExportParams = z.object({
  ...filter,
  byteOrderMark: said(
    z._default(z.enum(['true', 'false']), 'false'),
    'Begins with one, for programs that else take UTF-8 for something older.',
  ),
});
export type AuditExportParams = z.infer<typeof auditExportParams>;

/** A line of the audit trail. */
export const auditEvent = z
  .object({
    id: said(z.uuid(), 'Its id.'),
    at: said(z.string(), 'When, ISO 8601 in UTC.'),
    action: said(z.string(), 'What was done.'),
    actor: said(z.nullable(z.string()), 'Who acted for the provider, or in a user’s name; null: the user.'),
    user: said(z.nullable(z.string()), 'In whose account, by e-mail address.'),
    customerId: said(z.nullable(z.uuid()), 'About which customer.'),
    address: said(z.nullable(z.string()), 'From which address of the network.'),
    requestId: said(z.nullable(z.string()), 'The request in the log.'),
    detail: said(
      z.record(z.string(), z.unknown()),
      'What was changed, member by member: `before.email`, `after.email`. No secret stands in it.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          id: '0199a3c1-af50-7a35-9e4f-7b6b9b4b2d53',
          at: '2026-03-01T10:00:00.000Z',
          action: 'customer.changed',
          actor: 'key:crm',
          user: null,
          customerId: '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21',
          address: '203.0.113.7',
          requestId: 'req-1',
          detail: { 'before.email': 'old@harbour.example', 'after.email': 'bills@harbour.example' },
        },
      ],
    }),
  );
export type AuditEventShown = z.infer<typeof auditEvent>;

export const auditPage = z.object({
  data: z.array(auditEvent),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});
