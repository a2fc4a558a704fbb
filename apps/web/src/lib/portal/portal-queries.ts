import type { BrandSettings, PortalSettings } from '@counterfoil/contract/brand.ts';
import type { Me, MyCustomer } from '@counterfoil/contract/customers.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { setBrandCurrency } from '../../text/format.ts';
import { api } from '../api/api.ts';
import { applyBrand } from '../brand/apply-brand.ts';
import { runtimeConfig } from '../page/runtime-config.ts';
import { readClaims } from '../session/claims.ts';
import { dropForeignCustomer } from '../session/leave.ts';
import { type SessionStore, session } from '../session/session-store.ts';
import { setBrandZone } from '../values/moment.ts';
import type { Portal } from './portal-context.ts';

export const portalQueries = {
  me: () => queryOptions({ queryKey: ['me'], queryFn: () => api.get<Me>('/v1/ec/me') }),
  settings: () =>
    queryOptions({ queryKey: ['settings'], queryFn: () => api.get<PortalSettings>('/v1/ec/settings') }),
  brand: (id: number) =>
    queryOptions({
      queryKey: ['brand', id],
      queryFn: () => api.get<BrandSettings>(`/v1/brands-settings/${id}`),
      // The page already carries the brand of its host name.
      ...(runtimeConfig.brand?.id === id && { initialData: runtimeConfig.brand }),
    }),
};

const isForeign = (me: Me, store: SessionStore): boolean => {
  const stored = store.customerId();
  return stored !== null && !me.customers.some(({ customerId }) => customerId === stored);
};

/** The customer the stored id names; a stored id that is not the user's is forgotten. */
export function currentCustomer(me: Me, store: SessionStore): MyCustomer | undefined {
  const stored = store.customerId();
  const chosen = me.customers.find((customer) => customer.customerId === stored);
  if (stored !== null && !chosen) store.forgetCustomer();
  return chosen ?? me.customers.find((customer) => customer.selected) ?? me.customers[0];
}

/** Loads what the shell needs and dresses the page in the brand of the current customer. */
export async function loadPortal(client: QueryClient): Promise<Portal> {
  // Asked for together; the settings are those of the customer the header names.
  const settings = client.ensureQueryData(portalQueries.settings());
  // Awaited below; without this a failure of `me` would leave it unhandled.
  settings.catch(() => undefined);
  const me = await client.ensureQueryData(portalQueries.me());
  // Whichever answer comes first tells; the other may have been asked for the foreign customer.
  if (isForeign(me, session) && dropForeignCustomer()) return new Promise<never>(() => undefined);
  const customer = currentCustomer(me, session);
  const claims = readClaims(session.auth()?.access_token ?? '');
  const brandId = customer?.brandId ?? claims?.BrandId ?? 0;
  const brand = await client.ensureQueryData(portalQueries.brand(brandId));
  setBrandZone(brand.timeZone);
  setBrandCurrency({
    code: brand.currency,
    symbol: brand.currencySymbol.symbol,
    digits: brand.moneyDigits,
  });
  if (brand.id !== runtimeConfig.brand?.id) {
    await applyBrand(brand.id);
  }
  return {
    me,
    customer,
    brand,
    settings: await settings,
    resellerName: claims?.resellername || brand.name,
    isSuperUser: claims?.act !== undefined,
    actor: claims?.act?.sub,
  };
}
