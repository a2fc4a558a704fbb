import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  payLinkAnswer,
  payLinkRequest,
  rotatedLink,
  rotateParams,
} from '@counterfoil/contract/paying/pay-links.ts';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { askForPayLink } from './mail-queue.ts';
import { rotatePayLink } from './service.ts';

export interface PayLinkRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
}

/** A new link for one that has expired, by mail; and a new one in the place of one that got into wrong hands. */
export function payLinkRoutes(app: App, deps: PayLinkRouteDeps): void {
  app.post(
    '/v1/ec/payment/link-by-mail',
    {
      config: { access: 'public', limit: 'payLinkMail' },
      schema: {
        tags: ['public-pay'],
        summary: 'Mails the customer of an expired pay link a new one; answered alike whatever is sent',
        body: payLinkRequest,
        response: { 202: envelope(payLinkAnswer) },
      },
    },
    async (request, reply) => {
      await askForPayLink(deps, request.body.uid);
      return reply.status(202).send({ data: { status: 'accepted' as const } });
    },
  );

  app.post(
    '/v1/ec/invoice/:id/pay-link',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'Gives an invoice a new pay link; the one it had works no more',
        params: rotateParams,
        response: { 200: envelope(rotatedLink) },
      },
    },
    async (request) => {
      const { customerId, resellerId } = scopeOf(request);
      const { userId, email: userEmail, actor, sessionId } = sessionOf(request);
      const { id: invoiceId } = request.params;
      const now = deps.clock.now();
      const payToken = await deps.db.transaction(async (tx) => {
        const invoice = await tx.maybeOne<{ due_on: string | null }>(sql`
          select due_on from invoice where customer_id = ${customerId} and id = ${invoiceId} and kind = 'invoice'`);
        if (invoice === undefined) throw new AppError('invoice.notFound');
        await recordAudit(tx, {
          action: 'payLink.rotated',
          at: now,
          resellerId,
          userId,
          userEmail,
          actor,
          sessionId,
          customerId,
          detail: { invoiceId },
        });
        return rotatePayLink(tx, deps.secrets, { customerId, invoiceId, dueOn: invoice.due_on, now });
      });
      const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, resellerId));
      return { data: { payToken, payLink: brandUrl(brand, deps.publicUrl, `/pay/${payToken}`) } };
    },
  );
}
