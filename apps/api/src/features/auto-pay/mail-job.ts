import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { Job } from '../../jobs/worker.ts';
import { composeMail } from '../../mail/compose.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { findPayLink } from '../pay-links/service.ts';
import { AUTO_PAY_MAIL, type AutoPayMailJob, type AutoPayMailPayload } from './mail-queue.ts';
import { autoPayMail } from './mail-words.ts';

export interface AutoPayMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  readonly publicUrl: URL;
}

/** Sends the mails of auto-pay, each once: a row that is done is not sent again. */
export function autoPayMailJob(deps: AutoPayMailDeps): Job {
  return {
    name: AUTO_PAY_MAIL,
    async run(payload) {
      const { customerId, outboxId } = payload as AutoPayMailJob;
      const row = await deps.db.maybeOne<{ payload: AutoPayMailPayload; done_at: Date | null }>(sql`
        select payload, done_at from outbox where customer_id = ${customerId} and id = ${outboxId}`);
      if (row === undefined || row.done_at !== null) return;
      const { resellerId, invoiceId } = row.payload;
      const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, resellerId));
      const token = await findPayLink(deps, customerId, invoiceId);
      const page = (path: string) => brandUrl(brand, deps.publicUrl, path);
      const links = {
        methods: page('/payment-types'),
        pay: token === undefined ? null : page(`/pay/${token}`),
      };
      const mail = autoPayMail(brand, row.payload, links, `<${outboxId}@auto-pay.counterfoil>`);
      await deps.mailer.send(composeMail(mail, deps.mailFrom));
      await deps.db.transaction((tx) =>
        tx.execute(sql`
          update outbox set done_at = ${deps.clock.now()} where customer_id = ${customerId} and id = ${outboxId}`),
      );
    },
  };
}
