import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  paymentDetails,
  resellerCharge,
  resellerChargeChange,
} from '@counterfoil/contract/paying/payment-methods.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { brandOf } from './acting.ts';
import type { AddingDeps } from './adding.ts';
import { chargePermission, setChargePermission } from './charge-permission.ts';
import { presentDetails } from './details.ts';

/** How the customer can pay, and whether the reseller may charge by itself. */
export function paymentSettingsRoutes(app: App, deps: AddingDeps): void {
  app.get(
    '/v1/ec/payments/details',
    {
      config: { access: 'customer', everyArea: 'says that payments are off' },
      schema: {
        tags: ['payment-methods'],
        summary:
          'Payment settings, and what the provider’s gateway can do: kinds, ways of entry, fields, mandate',
        response: { 200: envelope(paymentDetails) },
      },
    },
    async (request) => {
      const brand = await brandOf(deps, request);
      const { resellerId } = scopeOf(request);
      const account = await deps.accounts.activeFor(resellerId);
      const paymentType = await deps.accounts.paymentTypeOf(resellerId);
      const standing = await deps.accounts.standingOf(account);
      const status = { apiStatus: standing === 'working', paymentsPaused: standing === 'paused' };
      return { data: presentDetails(brand, account, { paymentType, ...status }) };
    },
  );

  app.get(
    '/v1/ec/allow-reseller-charge',
    {
      config: { access: 'customer', everyArea: 'says whether Payment Types is shown' },
      schema: {
        tags: ['payment-methods'],
        summary: 'Whether the provider may charge due invoices to the default method, and who decides that',
        response: { 200: envelope(resellerCharge) },
      },
    },
    async (request) => ({
      data: await chargePermission(deps.db, scopeOf(request), await brandOf(deps, request)),
    }),
  );

  app.put(
    '/v1/ec/allow-reseller-charge',
    {
      config: { access: 'customer', areas: ['paymentsEnabled'] },
      schema: {
        tags: ['payment-methods'],
        summary: 'Gives or takes back the permission to charge due invoices to the default method',
        body: resellerChargeChange,
        response: { 200: envelope(resellerCharge) },
      },
    },
    async (request) => {
      const who = { scope: scopeOf(request), session: sessionOf(request), origin: originOf(request) };
      const { allowResellerCharge } = request.body;
      const brand = await brandOf(deps, request);
      return { data: await setChargePermission(deps, who, brand, allowResellerCharge) };
    },
  );
}
