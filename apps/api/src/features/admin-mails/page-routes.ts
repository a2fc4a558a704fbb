import { idParams } from '@counterfoil/contract/envelope.ts';
import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import { roleScopes } from '@counterfoil/contract/operator/access/operators.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { operatorOf } from '../../http/guards/access.ts';
import { brandOfMail } from './brand-of-mail.ts';
import { presentWholeMail } from './present.ts';
import { findMail } from './queries.ts';

const SCOPE: ApiScope = 'mails:read';

/** Nothing is loaded or run, and nothing leads anywhere; only the console may frame it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** A mail as a page of its own, for a frame in the console: what stands in a mail has no part in the console's page. */
export function mailPageRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/v1/operator/mails/:id/page',
    { config: { access: 'operator', hidden: true }, schema: { params: idParams } },
    async (request, reply) => {
      const { role, resellerId } = operatorOf(request);
      if (!roleScopes[role].includes(SCOPE)) throw new AppError('operator.role');
      const mail = await findMail(db, request.params.id, resellerId ?? undefined);
      if (mail === undefined) throw new AppError('mail.notFound');
      const { html } = presentWholeMail(mail, await brandOfMail(db, mail));
      return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(html);
    },
  );
}
