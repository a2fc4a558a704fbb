import { type PortalSettings, portalSettings } from '@counterfoil/contract/brand.ts';
import { envelope } from '@counterfoil/contract/envelope.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import { findCustomerBrand, isCustomersAddress } from './queries.ts';
import { type Brand, brandFromRow } from './service.ts';

export interface PortalSettingsDeps {
  readonly db: Db;
  /** Provider type code of the reseller's gateway (payments §1); 0 where there is none. */
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
  /** Whether the reseller's gateway takes payments now, as far as that is soon known. */
  readonly standingFor: (resellerId: number) => Promise<'working' | 'paused' | 'misconfigured'>;
}

export function portalSettingsRoutes(app: App, deps: PortalSettingsDeps): void {
  app.get(
    '/v1/ec/settings',
    {
      config: { access: 'customer', everyArea: 'every page begins with it', beforeSecondFactor: true },
      schema: {
        tags: ['brand'],
        summary: 'Labels of the current customer’s brand, and whether and how it takes payments',
        response: { 200: envelope(portalSettings) },
      },
    },
    async (request) => {
      const scope = scopeOf(request);
      const brand = brandFromRow(await findCustomerBrand(deps.db, scope.customerId, scope.resellerId));
      const { settings } = brand;
      const [paymentType, standing, isBilled] = await Promise.all([
        deps.paymentTypeOf(scope.resellerId),
        settings.paymentsEnabled ? deps.standingFor(scope.resellerId) : ('misconfigured' as const),
        isCustomersAddress(deps.db, scope.customerId, sessionOf(request).email),
      ]);
      return { data: presentPortalSettings(brand, paymentType, standing, isBilled) };
    },
  );
}

/**
 * What signed-in pages are told of a brand.
 * @param isBilled the person has the customer's own address
 * @param paymentType provider type code of the reseller's gateway; 0 where there is none
 */
export function presentPortalSettings(
  brand: Brand,
  paymentType: number,
  standing: 'working' | 'paused' | 'misconfigured',
  isBilled = false,
): PortalSettings {
  const { settings } = brand;
  return {
    invoiceLabel: settings.invoiceLabelSingular,
    invoiceLabelSingular: settings.invoiceLabelSingular,
    invoiceLabelPlural: settings.invoiceLabelPlural,
    companyName: brand.companyName,
    eInvoices: settings.eInvoice.isOffered,
    invoiceMails: { sent: sendsInvoices(settings), toYou: isBilled },
    payments: {
      enabled: settings.paymentsEnabled,
      bulk: settings.bulkPay,
      paymentType,
      unavailable: standing !== 'working',
      paused: standing === 'paused',
      bankDetails: [...settings.bankDetails],
      paymentInstructions: settings.paymentInstructions,
      billingAddressRequired: settings.billingAddressRequired,
      emailReceipt: settings.emailReceipt,
      hidePaymentTypesForCustomerUsers: brand.reseller.hidePaymentTypesForCustomerUsers,
    },
  };
}

const sendsInvoices = ({
  invoiceMails: { newInvoices, daysBefore, daysAfter },
}: Brand['settings']): boolean => newInvoices || daysBefore.length > 0 || daysAfter.length > 0;
