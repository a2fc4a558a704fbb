import { envelope, idParams, pageEnvelope } from '@counterfoil/contract/envelope.ts';
import {
  agreement,
  billingPeriod,
  extraFieldLabel,
  transaction,
  transactionSums,
  transactionSumsQuery,
  transactionsQuery,
} from '@counterfoil/contract/transactions.ts';
import * as z from 'zod/mini';
import type { ListDeps } from '../../http/answers/whole-list.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { listAgreements } from './queries.ts';
import { answerTransactions, billingPeriods, extraFieldLabels, transactionSumsOf } from './service.ts';

/** What was charged in a billing period, and the periods and agreements to choose from. */
export function transactionRoutes(app: App, deps: ListDeps): void {
  const { db } = deps;
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
        summary:
          'Charges of a billing period, all or one page; those not invoiced yet have an empty invoice number',
        querystring: transactionsQuery,
        response: { 200: pageEnvelope(transaction) },
      },
    },
    async (request, reply) => answerTransactions(deps, scopeOf(request), request.query, reply),
  );

  app.get(
    '/v1/ec/transactions/sums',
    {
      config,
      schema: {
        tags,
        summary: 'What all charges of a billing period come to, by currency',
        querystring: transactionSumsQuery,
        response: { 200: envelope(transactionSums) },
      },
    },
    async (request) => ({ data: await transactionSumsOf(db, scopeOf(request), request.query.period) }),
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
