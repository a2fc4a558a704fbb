import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { customerUserParams } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { type Erasure, erasure, erasureRequest } from '@counterfoil/contract/operator/customers/privacy.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { requireMember } from '../customers/service.ts';
import { type Asked, type EraseDeps, erase, findErasable, foreseeErasure } from './service.ts';

const admin = '/v1/admin/customers/:id';
const tags = ['privacy'];
const description =
  'What is erased does not come back. Invoices stay as they are for the years of the reseller’s setting `keepInvoicesYears`, the books for good; the audit trail keeps what was done and when. The answer says of each table what becomes of it.';

/**
 * Erasing people and customers, for programs and operators.
 * @param deps `db` is where long statements go
 */
export function erasureRoutes(app: App, deps: EraseDeps & { readonly web: Database }): void {
  const run = async (request: FastifyRequest, asked: Asked, forGood: boolean): Promise<Erasure> => {
    const { resellerId } = programOf(request);
    const of = await findErasable(deps.web, asked, resellerId, deps.clock.now());
    if (of === undefined) throw new AppError('customer.notFound');
    const tables = forGood ? await erase(deps, of, actedBy(request)) : await foreseeErasure(deps.db, of);
    return { isDone: forGood, tables: [...tables] };
  };

  app.post(
    `${admin}/erasure`,
    {
      config: {
        access: 'program',
        scope: 'privacy:erase',
        refusals: ['customer.notFound', 'privacy.notErasable'],
      },
      schema: {
        tags,
        operationId: 'eraseCustomer',
        summary: 'Erases a customer, as far as the law does not want it kept; or says what that would do',
        description: `${description} Refused while payments are under way, invoices or credit are open or methods are saved. Its users stay: each is erased by themselves.`,
        params: idParams,
        body: erasureRequest,
        response: { 200: envelope(erasure) },
      },
    },
    async (request) => ({
      data: await run(request, { kind: 'customer', id: request.params.id }, request.body.forGood),
    }),
  );

  app.post(
    `${admin}/users/by-email/:email/erasure`,
    {
      config: {
        access: 'program',
        scope: 'privacy:erase',
        refusals: ['customer.notFound', 'customer.noUser', 'privacy.notErasable'],
      },
      schema: {
        tags,
        operationId: 'eraseUser',
        summary: 'Erases a person who signs in for a customer, at all customers; or says what that would do',
        description,
        params: customerUserParams,
        body: erasureRequest,
        response: { 200: envelope(erasure) },
      },
    },
    async (request) => {
      const { id: customerId, email } = request.params;
      const { resellerId } = programOf(request);
      await deps.web.transaction((tx) => requireMember(tx, { resellerId, customerId, email }));
      return { data: await run(request, { kind: 'user', email }, request.body.forGood) };
    },
  );
}
