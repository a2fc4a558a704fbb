import { findBrandByHost } from './features/brand/queries.ts';
import { type Brand, brandFromRow, normaliseHost, presentBrand } from './features/brand/service.ts';
import { brandStyleSheet } from './features/brand/style-sheet.ts';
import { payPageOf } from './features/public-pay/page-service.ts';
import type { PublicPayDeps } from './features/public-pay/service.ts';
import type { PagesDeps } from './http/pages.ts';

/** What the pages ask the features for. A look-up that fails leaves a page that still works. */
export function pageBrands(deps: PublicPayDeps): Pick<PagesDeps, 'brandOfHost' | 'brandOfPayLink'> {
  const dress = (brand: Brand | undefined) => ({
    brand: brand === undefined ? null : presentBrand(brand),
    styleSheet: brandStyleSheet(brand?.colours ?? []),
  });
  return {
    async brandOfHost(host) {
      const row = await findBrandByHost(deps.db, normaliseHost(host)).catch(() => undefined);
      return dress(row && brandFromRow(row));
    },
    async brandOfPayLink(token, hasReturned) {
      const found = await payPageOf(deps, token, hasReturned);
      const { brand, account, payment } = found ?? {};
      return { ...dress(brand), ...(account && { provider: account.csp }), payment };
    },
  };
}
