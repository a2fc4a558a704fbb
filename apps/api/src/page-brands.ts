import { findBrandByHost } from './features/brand/queries.ts';
import {
  type Brand,
  brandFromRow,
  legalLinksOf,
  normaliseHost,
  presentBrand,
} from './features/brand/service.ts';
import { presentPortalSettings } from './features/brand/settings-routes.ts';
import { brandStyleSheet } from './features/brand/style-sheet.ts';
import { samplePayment } from './features/brand-preview/sample-payment.ts';
import { previewOf } from './features/brand-preview/service.ts';
import type { PublicPayDeps } from './features/public-pay/link.ts';
import { payPageOf } from './features/public-pay/page-service.ts';
import type { PagesDeps } from './http/pages/pages.ts';

/** What the pages ask the features for. A look-up that fails leaves a page that still works. */
export function pageBrands(
  deps: PublicPayDeps,
): Pick<PagesDeps, 'brandOfHost' | 'brandOfPortal' | 'brandOfPayLink' | 'brandOfPreview'> {
  const dress = (brand: Brand | undefined) => ({
    brand: brand === undefined ? null : presentBrand(brand),
    styleSheet: brandStyleSheet(brand?.colours ?? []),
    ...(brand && { legal: legalLinksOf(brand.settings) }),
  });
  const brandOfHost: PagesDeps['brandOfHost'] = async (host) => {
    const row = await findBrandByHost(deps.db, normaliseHost(host)).catch(() => undefined);
    return dress(row && brandFromRow(row));
  };
  return {
    brandOfHost,
    async brandOfPortal(host) {
      const [brand, provider] = await Promise.all([brandOfHost(host), deps.accounts.originsInUse()]);
      return { ...brand, provider };
    },
    async brandOfPreview(token) {
      const now = deps.clock.now();
      const found = await previewOf(deps.db, token, now);
      if (found === undefined) return undefined;
      const { brand, images } = found;
      return {
        ...dress(brand),
        images,
        settings: presentPortalSettings(brand, 1, 'working'),
        payment: samplePayment(brand, now),
      };
    },
    async brandOfPayLink(token, hasReturned, host) {
      const found = await payPageOf(deps, token, hasReturned);
      // A link that is over names nobody any more; who reads that stands at a provider’s door all the same.
      if (found === undefined) return brandOfHost(host);
      const { brand, account, payment } = found;
      return { ...dress(brand), ...(account && { provider: account.csp }), payment };
    },
  };
}
