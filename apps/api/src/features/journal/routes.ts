import { Readable } from 'node:stream';
import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import { journalParams } from '@counterfoil/contract/operator/billing/journal.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { findResellerZone } from '../brand/queries.ts';
import { journalCsv } from './csv.ts';
import { findResellerSettings } from './queries.ts';

/** The ledger of a provider, for its accounting system. */
export function journalRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/v1/admin/journal',
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['customer.notFound'] },
      schema: {
        tags: ['journal'],
        operationId: 'exportJournal',
        summary: 'What the ledger says of some days, as journals for an accounting system',
        description:
          'CSV. Payments, fees, refunds, what banks and gateways took back, credit notes, credit and adjustments: each entry has a debit and a credit of the same amount. Accounts have the codes that the reseller’s setting `journalAccounts` gives them.',
        querystring: journalParams,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const { from, to, format, customer, byteOrderMark } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') throw new AppError('customer.notFound');
      const of = {
        resellerId,
        timeZone: await findResellerZone(db, resellerId),
        from: parseDay(from),
        to: parseDay(to),
        customerId: found?.customerId,
      };
      const settings = storedResellerSettings.parse((await findResellerSettings(db, resellerId)) ?? {});
      const csv = journalCsv(db, of, { format, settings, byteOrderMark: byteOrderMark === 'true' });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(journalFileName(format, from, to), 'attachment'))
        .header('cache-control', 'no-store')
        .send(Readable.from(csv));
    },
  );
}

const journalFileName = (format: string, from: string, to: string): string =>
  `journal_${format}_${from}_${to}.csv`;
