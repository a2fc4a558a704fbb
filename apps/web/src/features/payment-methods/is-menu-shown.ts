import type { PortalSettings } from '@counterfoil/contract/brand.ts';

/** Provider types whose methods the portal manages (payments §1; decisions §1). */
const SHOWN_CODES: ReadonlySet<number> = new Set([1, 2, 4, 5, 6, 8, 10, 12]);
const NO_GATEWAY = 0;

interface Facts {
  readonly settings: {
    readonly payments: Pick<
      PortalSettings['payments'],
      'enabled' | 'paymentType' | 'hidePaymentTypesForCustomerUsers'
    >;
  };
  readonly isSuperUser: boolean;
}

/**
 * Whether Payment Types exists for this person (decisions §1): never without payments or a gateway; else for the known
 * provider types, where the reseller does not hide it, and for a super user.
 */
export function isMenuShown({ settings: { payments }, isSuperUser }: Facts): boolean {
  if (payments?.enabled !== true || payments.paymentType === NO_GATEWAY) return false;
  return SHOWN_CODES.has(payments.paymentType) || !payments.hidePaymentTypesForCustomerUsers || isSuperUser;
}
