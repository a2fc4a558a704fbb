import type { BrandSettings, PortalSettings } from '@counterfoil/contract/brand.ts';
import type { Me, MyCustomer } from '@counterfoil/contract/customers.ts';
import { createContext, use } from 'react';

/** What every signed-in page may know without asking: who, for which customer, in which dress, with which areas. */
export interface Portal {
  readonly me: Me;
  /** The customer all calls are about; undefined for a user without one. */
  readonly customer: MyCustomer | undefined;
  readonly brand: BrandSettings;
  readonly settings: PortalSettings;
  /** Claim `resellername`: stands in the header. */
  readonly resellerName: string;
  /** Support is signed in as this user: claim `act` of the token, never what storage says. */
  readonly isSuperUser: boolean;
  /** Who that is. */
  readonly actor: string | undefined;
}

export const PortalContext = createContext<Portal | null>(null);

/** The signed-in portal; only inside the shell. */
export function usePortal(): Portal {
  const portal = use(PortalContext);
  if (portal === null) throw new Error('usePortal is for pages inside the shell');
  return portal;
}
