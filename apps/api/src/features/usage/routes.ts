import { envelope } from '@counterfoil/contract/envelope.ts';
import { lineUsageQuery, type UsageRecord, usagePage } from '@counterfoil/contract/usage.ts';
import { parseRate, rateToNumber } from '@counterfoil/domain/rate.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { scopeOf } from '../../http/access.ts';
import type { App } from '../../http/app.ts';
import { countLineUsage, listLineUsage, type UsageRow } from './queries.ts';

export function usageRoutes(app: App, deps: { readonly db: Db }): void {
  app.get(
    '/v1/ec/usage',
    {
      config: { access: 'customer' },
      schema: {
        tags: ['usage'],
        summary: 'The usage records one invoice line billed, page by page',
        querystring: lineUsageQuery,
        response: { 200: envelope(usagePage) },
      },
    },
    async (request) => {
      const scope = scopeOf(request);
      const { invoiceLine, pageNumber, pageSize } = request.query;
      const counted = await countLineUsage(deps.db, scope, invoiceLine);
      if (counted === undefined) throw new AppError('invoice.notFound');
      const offset = (pageNumber - 1) * pageSize;
      // A page past the end is empty; there is nothing to look for.
      const rows =
        offset >= counted.n ? [] : await listLineUsage(deps.db, scope, invoiceLine, pageSize, offset);
      return { data: { endUsageDetails: rows.map(presentRecord), totalCount: counted.n } };
    },
  );
}

function presentRecord(row: UsageRow): UsageRecord {
  const decimal = (text: string) => rateToNumber(parseRate(text));
  return {
    date: row.started_at.toISOString(),
    serviceItemName: row.service_item,
    serviceItemDescription: row.description,
    serviceItem2: row.service_item2,
    serviceItem3: row.service_item3,
    siteName: row.site,
    units: decimal(row.units),
    price: row.has_price ? decimal(row.price) : null,
    recordType: row.record_type,
    costCentre: row.cost_centre,
  };
}
