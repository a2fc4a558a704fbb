import { envelope } from '@counterfoil/contract/envelope.ts';
import { preparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import { newEntry } from '@counterfoil/contract/paying/payment-methods.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import type { Preparer, Preparers } from '../entries/service.ts';
import { PaymentTerms } from '../payments/service.ts';
import { addingOf } from './acting.ts';
import { type AddingDeps, prepareAgain, prepareToSave } from './adding.ts';

const none = { methodId: undefined, email: undefined };

/** The form of a method that is to be saved. */
export const savedEntry =
  (deps: AddingDeps) =>
  async (request: FastifyRequest): Promise<Preparer> => {
    const adding = await addingOf(deps, request);
    const { account, brand } = adding;
    const debit = new PaymentTerms(brand, account).debit()?.scheme;
    return {
      account,
      prepare: async (kind, scheme = debit ?? '', { methodId, email } = none) =>
        methodId === undefined
          ? prepareToSave(deps, adding, { email, ...(kind === 'bank' && { scheme }) })
          : prepareAgain(deps, adding, methodId, email),
    };
  };

/** What a form of the signed-in portal needs to be made at the gateway before a method is typed into it. */
export function methodEntryRoutes(app: App, { save, session }: Pick<Preparers, 'save' | 'session'>): void {
  app.post(
    '/v1/ec/payments/entries',
    {
      config: { access: 'customer', areas: ['paymentsEnabled'], limit: 'saveMethod' },
      schema: {
        tags: ['payment-methods'],
        summary: 'Prepares the form of a new method at the gateway, to save it or to pay once; used once',
        body: newEntry,
        response: { 200: envelope(preparedEntry) },
      },
    },
    async (request) => {
      const { purpose, kind, scheme, uid } = request.body;
      if (purpose === 'payOnce' && uid === undefined)
        throw new AppError('request.invalid', { fields: [{ path: 'uid', message: 'missing' }] });
      const { prepare } = await (uid === undefined || purpose === 'save'
        ? save(request, '')
        : session(request, uid));
      return { data: await prepare(kind, scheme) };
    },
  );
}
