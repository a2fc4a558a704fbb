import { storedBrandSettings, storedResellerSettings } from '@counterfoil/contract/brand.ts';
import type {
  AdminBrand,
  AdminBrandDetail,
  AdminReseller,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import { contrast } from '@counterfoil/domain/text/colour.ts';
import { brandRoles, promisedPairs } from '@counterfoil/domain/text/palette.ts';
import { sha256 } from '../../secrets.ts';
import type { AdminBrandRow, ResellerRow } from './queries.ts';

/** A brand as programs are told of it. */
export const presentAdminBrand = (row: AdminBrandRow): AdminBrand => ({
  id: row.id,
  reference: row.reference,
  name: row.name,
  companyName: row.company_name,
  colours: row.colours,
  currency: row.currency,
  timeZone: row.time_zone,
  hosts: row.hosts,
  settings: storedBrandSettings.parse(row.settings),
  images: { logo: row.images.includes('logo'), banner: row.images.includes('banner') },
});

/** The same with the contrasts of its colours. */
export const presentBrandDetail = (row: AdminBrandRow): AdminBrandDetail => ({
  ...presentAdminBrand(row),
  contrasts: (['light', 'dark'] as const).flatMap((theme) => {
    const roles = brandRoles(row.colours, theme);
    return promisedPairs.map(({ foreground, ground, least }) => ({
      theme,
      foreground,
      ground,
      foregroundColour: roles[foreground],
      groundColour: roles[ground],
      contrast: Math.round(contrast(roles[foreground], roles[ground]) * HUNDREDTHS) / HUNDREDTHS,
      least,
    }));
  }),
});

/** Decimals of a contrast. */
const HUNDREDTHS = 10 ** 2;

export const presentReseller = (row: ResellerRow): AdminReseller => ({
  id: row.id,
  reference: row.reference,
  name: row.name,
  settings: storedResellerSettings.parse(row.settings),
});

/** The state of a brand or reseller that a caller has read, for `If-Match`: what it says, so that every way of changing it counts. */
export const etagOf = (presented: AdminBrand | AdminReseller): string =>
  `"${sha256(JSON.stringify(presented)).toString('hex').slice(0, 32)}"`;
