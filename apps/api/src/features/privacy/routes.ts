import { idParams } from '@counterfoil/contract/envelope.ts';
import { customerUserParams } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { AppError } from '../../app-error.ts';
import { type ActedBy, actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf, sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { requireMember } from '../customers/service.ts';
import { exportSlots, sendExport } from './send-export.ts';
import { type Asked, beginExport, type ExportDeps } from './service.ts';

const admin = '/v1/admin/customers/:id';
const produces = ['application/zip'];
const description =
  'A ZIP file: JSON lines by kind, stored documents, and `index.html`, which says what each file is. No password, key, token or full number is in it. That it was made is put on record.';

/** All that is held about a person or a customer, for whoever has to answer when they ask for it. */
export function privacyRoutes(app: App, deps: ExportDeps): void {
  const slots = exportSlots();
  const begin = async (
    whose: string,
    asked: Asked,
    resellerId: number,
    by: Partial<ActedBy>,
  ): Promise<{
    readonly head: NonNullable<Awaited<ReturnType<typeof beginExport>>>;
    release: () => void;
  }> => {
    const release = slots.take(whose);
    try {
      const head = await deps.db.transaction((tx) =>
        beginExport(tx, asked, resellerId, by, deps.clock.now()),
      );
      if (head === undefined)
        throw new AppError(asked.kind === 'user' ? 'customer.noUser' : 'customer.notFound');
      return { head, release };
    } catch (error) {
      release();
      throw error;
    }
  };

  app.post(
    `${admin}/data-export`,
    {
      config: {
        access: 'program',
        scope: 'privacy:export',
        refusals: ['customer.notFound', 'privacy.exporting', 'server.exporting'],
      },
      schema: {
        tags: ['privacy'],
        operationId: 'exportCustomerData',
        summary: 'All data of a customer as one file',
        description,
        params: idParams,
        produces,
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const asked = { kind: 'customer', id: request.params.id } as const;
      const { head, release } = await begin(`${resellerId}`, asked, resellerId, actedBy(request));
      return sendExport(deps, reply, head, release);
    },
  );

  app.post(
    `${admin}/users/by-email/:email/data-export`,
    {
      config: {
        access: 'program',
        scope: 'privacy:export',
        refusals: ['customer.notFound', 'customer.noUser', 'privacy.exporting', 'server.exporting'],
      },
      schema: {
        tags: ['privacy'],
        operationId: 'exportUserData',
        summary: 'All data of a person who signs in for a customer as one file',
        description,
        params: customerUserParams,
        produces,
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const { id: customerId, email } = request.params;
      await deps.db.transaction((tx) => requireMember(tx, { resellerId, customerId, email }));
      const asked = { kind: 'user', email } as const;
      const { head, release } = await begin(`${resellerId}`, asked, resellerId, actedBy(request));
      return sendExport(deps, reply, head, release);
    },
  );

  app.post(
    '/v1/ec/me/data-export',
    {
      config: { access: 'session', inPersonOnly: true },
      schema: {
        tags: ['account'],
        summary: 'All that is held about the signed-in user as one file',
        description,
        produces,
      },
    },
    async (request, reply) => {
      const { userId, email, resellerId } = sessionOf(request);
      const { address, requestId } = originOf(request);
      const by = { address, requestId };
      const { head, release } = await begin(userId, { kind: 'user', email }, resellerId, by);
      return sendExport(deps, reply, head, release);
    },
  );
}
