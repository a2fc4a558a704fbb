import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  agreement,
  billingPeriod,
  extraFieldLabel,
  transaction,
  transactionsQuery,
} from '@counterfoil/contract/transactions.ts';
import * as z from 'zod/mini';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { listAgreements } from './queries.ts';
import { billingPeriods, extraFieldLabels, transactionsOf } from './service.ts';

/** What was charged in a billing period, and the periods and agreements to choose from. */
export function transactionRoutes(app: App, { db }: { readonly db: Db }): void {
  const config = { access: 'customer', areas: ['endShowTransactions'] } as const;
  const tags = ['transactions'];
  app.get(
    '/v1/ec/agreements',
    {
      config: { access: 'customer', areas: ['endShowTransactions', 'endShowUsage'] },
      schema: {
        tags,
        summary: 'Agreements of the current customer, the oldest first',
        response: { 200: envelope(z.array(agreement)) },
      },
    },
    async (request) => {
      const rows = await listAgreements(db, scopeOf(request));
      return { data: rows.map(({ id, name }) => ({ id, agreementName: name })) };
    },
  );

  app.get(
    '/v1/ec/billing-periods/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Billing periods of an agreement, newest first',
        params: idParams,
        response: { 200: envelope(z.array(billingPeriod)) },
      },
    },
    async (request) => ({ data: await billingPeriods(db, scopeOf(request), request.params.id) }),
  );

  app.get(
    '/v1/ec/transactions',
    {
      config,
      schema: {
        tags,
        summary: 'Charges of a billing period; those not invoiced yet have an empty invoice number',
        querystring: transactionsQuery,
        response: { 200: envelope(z.array(transaction)) },
      },
    },
    async (request) => ({ data: await transactionsOf(db, scopeOf(request), request.query.period) }),
  );

  app.get(
    '/v1/ec/extra-fields/labels',
    {
      config,
      schema: {
        tags,
        summary: 'The brand’s headers for extra fields; those of transactions have type 3',
        response: { 200: envelope(z.array(extraFieldLabel)) },
      },
    },
    async (request) => ({ data: await extraFieldLabels(db, scopeOf(request)) }),
  );
}
