import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  adminInvoice,
  adminInvoiceDetail,
  invoicePage,
  invoiceQuery,
  invoiceSettlement,
  invoiceStatusChange,
} from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import {
  invoiceReference,
  invoiceReferenceQuery,
  invoiceValues,
} from '@counterfoil/contract/operator/billing/put-invoice.ts';
import { invoiceStatusNamed } from '@counterfoil/domain/paying/invoice.ts';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { presentInvoice, presentInvoiceDetail } from './present.ts';
import { etagOf, identityOf, putInvoice } from './put-invoice.ts';
import { findInvoice, listInvoiceLines, listInvoices } from './queries.ts';
import { disputeInvoice, reopenInvoice, settleInvoice, voidInvoice } from './service.ts';

const tags = ['invoices of customers'];
const path = '/v1/admin/invoices';

/** What may be done about an invoice with a note, in words. */
const acts = [
  {
    name: 'void',
    operationId: 'voidInvoice',
    run: voidInvoice,
    refusals: ['invoice.beingPaid', 'invoice.hasPayments'],
    summary: 'Voids an invoice: nothing is asked for by it any more, and no sum has it',
    description:
      'One that was paid or credited, in part at least, is refused. The same again changes nothing.',
  },
  {
    name: 'dispute',
    operationId: 'disputeInvoice',
    run: disputeInvoice,
    refusals: ['invoice.beingPaid', 'invoice.notOpen'],
    summary: 'Marks an open invoice as disputed: it is owed, but nobody is asked to pay it',
    description:
      'Neither the portal nor Auto-Pay charges a disputed invoice; money that comes for it all the same is booked. The same again changes nothing.',
  },
  {
    name: 'reopen',
    operationId: 'reopenInvoice',
    run: reopenInvoice,
    refusals: ['invoice.settled'],
    summary: 'Takes back that an invoice is void or disputed',
    description: 'One that is open changes nothing.',
  },
] as const;

/** Invoices and credit notes, for a provider's programs. */
export function adminInvoiceRoutes(
  app: App,
  {
    db,
    clock,
    secrets,
    publicUrl,
  }: { readonly db: Database; readonly clock: Clock; readonly secrets: Secrets; readonly publicUrl: URL },
): void {
  app.get(
    path,
    {
      config: { access: 'program', scope: 'invoices:read' },
      schema: {
        tags,
        operationId: 'listInvoices',
        summary: 'Invoices and credit notes, what came in last first, page by page',
        description: 'Filters are joined by and. The next page is asked for by `cursor`.',
        querystring: invoiceQuery,
        response: { 200: invoicePage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, status, cursor: before, limit, ...filter } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const rows = await listInvoices(db, {
        ...filter,
        resellerId,
        customerId: found?.customerId,
        status: status && invoiceStatusNamed[status],
        before,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentInvoice),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'invoices:read', refusals: ['invoice.notFound'] },
      schema: {
        tags,
        operationId: 'getInvoice',
        summary: 'An invoice or credit note with its lines',
        params: idParams,
        response: { 200: envelope(adminInvoiceDetail) },
      },
    },
    async (request) => {
      const row = await findInvoice(db, programOf(request).resellerId, request.params.id);
      if (row === undefined) throw new AppError('invoice.notFound');
      return { data: presentInvoiceDetail(row, await listInvoiceLines(db, row)) };
    },
  );

  app.get(
    `${path}/by-reference/:reference`,
    {
      config: {
        access: 'program',
        scope: 'invoices:read',
        refusals: ['invoice.notFound', 'invoice.ambiguous'],
      },
      schema: {
        tags,
        operationId: 'getInvoiceByReference',
        summary: 'An invoice or credit note by its number; the header ETag says its content',
        params: invoiceReference,
        querystring: invoiceReferenceQuery,
        response: { 200: envelope(adminInvoiceDetail) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const known = await identityOf(db, resellerId, request.query.kind, request.params.reference);
      const row = known && (await findInvoice(db, resellerId, known.invoice_id));
      if (known === undefined || row === undefined) throw new AppError('invoice.notFound');
      const data = presentInvoiceDetail(row, await listInvoiceLines(db, row));
      return reply.header('etag', etagOf(known.content_hash)).send({ data });
    },
  );

  app.put(
    `${path}/by-reference/:reference`,
    {
      // Thousands of lines in one body.
      bodyLimit: 4 * 1024 ** 2,
      config: {
        access: 'program',
        scope: 'invoices:write',
        preconditions: true,
        refusals: [
          'invoice.noCustomer',
          'invoice.ambiguous',
          'invoice.notCorrected',
          'precondition.failed',
          'precondition.required',
        ],
      },
      schema: {
        tags,
        operationId: 'putInvoice',
        summary: 'Takes in an invoice or credit note, or corrects an invoice; the same again changes nothing',
        description: [
          'Sums have to be exact, or it is refused with the members that are not. 201: taken in, with a pay link; 200: corrected, or as it was.',
          'An invoice that is there already and differs is corrected only with `If-Match`: the `ETag` that was read, or `*` for any. What was paid and credited of it stays, and it cannot ask for less than that; while a payment of it is under way it is not corrected. A credit note is never corrected.',
        ].join('\n\n'),
        params: invoiceReference,
        body: invoiceValues,
        response: { 200: envelope(adminInvoice), 201: envelope(adminInvoice) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const put = { resellerId, number: request.params.reference, values: request.body };
      const { row, contentHash, isNew } = await db.transaction((tx) =>
        putInvoice(
          tx,
          { secrets, publicUrl, now: clock.now() },
          put,
          preconditionsOf(request),
          actedBy(request),
        ),
      );
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etagOf(contentHash))
        .send({ data: presentInvoice(row) });
    },
  );

  for (const { name, operationId, run, refusals, summary, description } of acts)
    app.post(
      `${path}/:id/${name}`,
      {
        config: {
          access: 'program',
          scope: 'invoices:write',
          refusals: ['invoice.notFound', 'invoice.isCredit', ...refusals],
        },
        schema: {
          tags,
          operationId,
          summary,
          description,
          params: idParams,
          body: invoiceStatusChange,
          response: { 200: envelope(adminInvoice) },
        },
      },
      async (request) => {
        const at = { resellerId: programOf(request).resellerId, id: request.params.id };
        const act = { note: request.body.note, by: actedBy(request), now: clock.now() };
        return { data: presentInvoice(await db.transaction((tx) => run(tx, at, act))) };
      },
    );

  app.post(
    `${path}/:id/settle`,
    {
      config: {
        access: 'program',
        scope: 'invoices:write',
        refusals: [
          'invoice.notFound',
          'invoice.isCredit',
          'invoice.void',
          'invoice.beingPaid',
          'invoice.settled',
          'externalPayment.notYet',
          'externalPayment.referenceTaken',
        ],
      },
      schema: {
        tags,
        operationId: 'settleInvoice',
        summary: 'Books what is still due of an invoice as a payment that came outside the portal',
        description:
          'A shorter way of `POST /v1/admin/external-payments` for the whole rest; that payment can be taken back there. The same reference again books nothing.',
        params: idParams,
        body: invoiceSettlement,
        response: { 200: envelope(adminInvoice) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      const act = { by: actedBy(request), now: clock.now() };
      return { data: presentInvoice(await db.transaction((tx) => settleInvoice(tx, at, request.body, act))) };
    },
  );
}
