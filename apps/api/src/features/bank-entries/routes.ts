import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  bankEntryBooking,
  bankEntryDetail,
  bankEntryDismissal,
  bankEntryPage,
  bankEntryQuery,
  bankEntryReopening,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import {
  type BankEntryAct,
  type BankEntryAt,
  bankEntryNamed,
  bookEntry,
  dismissEntry,
  reopenEntry,
} from './decide.ts';
import { withCandidates } from './present.ts';
import { type BankEntryRow, listBankEntries } from './queries.ts';

const tags = ['bank statements'];
const path = '/v1/admin/bank-entries';

/** Entries of bank statements: what was booked by itself, and what a person decides. */
export function bankEntryRoutes(
  app: App,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): void {
  const at = (request: FastifyRequest & { readonly params: { readonly id: string } }): BankEntryAt => ({
    resellerId: programOf(request).resellerId,
    id: request.params.id,
  });
  const act = (request: FastifyRequest): BankEntryAct => ({ by: actedBy(request), now: clock.now() });
  const told = async (from: Db, row: BankEntryRow) => {
    const [data] = await withCandidates(from, [row]);
    if (data === undefined) throw new Error('an entry that was read is told');
    return { data };
  };

  app.get(
    path,
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'listBankEntries',
        summary: 'Entries of bank statements, those taken in last first, page by page',
        description: 'Filters are joined by and. Files come in as imports: `POST /v1/admin/imports`.',
        querystring: bankEntryQuery,
        response: { 200: bankEntryPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, import: fileId, cursor: before, limit, ...filter } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const of = { ...filter, resellerId, customerId: found?.customerId, fileId, before, limit: limit + 1 };
      const rows = await listBankEntries(db, of);
      const page = rows.slice(0, limit);
      return {
        data: [...(await withCandidates(db, page))],
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['bankEntry.notFound'] },
      schema: {
        tags,
        operationId: 'getBankEntry',
        summary: 'An entry of a bank statement, and what may be meant by it',
        params: idParams,
        response: { 200: envelope(bankEntryDetail) },
      },
    },
    async (request) => told(db, await bankEntryNamed(db, at(request))),
  );

  app.post(
    `${path}/:id/book`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: [
          'bankEntry.notFound',
          'bankEntry.decided',
          'bankEntry.noCustomer',
          'bankEntry.noPayment',
          'bankEntry.otherAmount',
          'externalPayment.notFound',
          'externalPayment.noCustomer',
          'externalPayment.noInvoice',
          'externalPayment.notYet',
        ],
      },
      schema: {
        tags,
        operationId: 'bookBankEntry',
        summary: 'Books an entry by your word; the same again changes nothing',
        description:
          'A credit becomes a payment from outside: it pays the invoices that are named, else the open ones, and what they cannot use becomes the customer’s credit. A debit takes a payment from outside back, whose invoices are due again.',
        params: idParams,
        body: bankEntryBooking,
        response: { 200: envelope(bankEntryDetail) },
      },
    },
    async (request) =>
      db.transaction(async (tx) => told(tx, await bookEntry(tx, at(request), request.body, act(request)))),
  );

  app.post(
    `${path}/:id/dismiss`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: ['bankEntry.notFound', 'bankEntry.decided'],
      },
      schema: {
        tags,
        operationId: 'dismissBankEntry',
        summary: 'Says that an entry is none of the customers’ payments; the same again changes nothing',
        params: idParams,
        body: bankEntryDismissal,
        response: { 200: envelope(bankEntryDetail) },
      },
    },
    async (request) =>
      db.transaction(async (tx) =>
        told(tx, await dismissEntry(tx, at(request), request.body.note, act(request))),
      ),
  );

  app.post(
    `${path}/:id/reopen`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: ['bankEntry.notFound', 'bankEntry.notReopened'],
      },
      schema: {
        tags,
        operationId: 'reopenBankEntry',
        summary: 'Takes the booking of a credit back, or its dismissal; one that is open changes nothing',
        description: 'It is not booked by itself any more: a person decides it.',
        params: idParams,
        body: bankEntryReopening,
        response: { 200: envelope(bankEntryDetail) },
      },
    },
    async (request) =>
      db.transaction(async (tx) =>
        told(tx, await reopenEntry(tx, at(request), request.body.note, act(request))),
      ),
  );
}
