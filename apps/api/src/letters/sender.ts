import { DEFAULT_COLOURS } from '@counterfoil/contract/brand.ts';
import { brandRoles } from '@counterfoil/domain/text/palette.ts';
import { type Brand, brandUrl } from '../features/brand/service.ts';
import type { Logo, Party, Sender } from '../pdf/letter/letter.ts';
import { countryName } from './country.ts';

/** An address as invoices and customers keep it. */
export interface StoredAddress {
  readonly lines?: readonly string[];
  readonly city?: string | null;
  readonly postalCode?: string | null;
  readonly region?: string | null;
  readonly country?: string | null;
}

/** What letters need beside their own data. */
export interface LetterContext {
  readonly brand: Brand;
  readonly logo: Logo | undefined;
  readonly publicUrl: URL;
}

/** Who a document itself says it is from; what it leaves out is the brand's. */
export interface StatedSender {
  readonly name?: string;
  readonly address?: StoredAddress;
  readonly taxNumber?: string | null;
}

/** The provider as letters show it: only what is known. */
export function senderOf({ brand, logo, publicUrl }: LetterContext, stated: StatedSender = {}): Sender {
  const { settings } = brand;
  const own = addressLines(stated.address);
  const postal = own.length > 0 ? own : settings.postalAddress;
  const name = stated.name || brand.companyName;
  const taxNumber = stated.taxNumber || settings.taxNumber;
  const roles = brandRoles(brand.colours.length === 7 ? [...brand.colours] : [...DEFAULT_COLOURS], 'light');
  return {
    name: brand.companyName,
    ...(logo === undefined ? {} : { logo }),
    accent: roles.accent,
    address: [name, ...postal],
    contact: [
      new URL(brandUrl(brand, publicUrl, '/')).host,
      settings.supportPhone,
      settings.supportEmail,
      taxNumber,
    ].filter(Boolean),
    // As short as the post needs it: the country is on the stamp.
    returnLine: postal.length > 0 ? [brand.companyName, ...postal.slice(0, 2)].join(' · ') : '',
    foot: [name, taxNumber].filter(Boolean).join(' · '),
  };
}

/** The customer as an envelope names them. @param country where the address itself names none */
export const recipientOf = (
  name: string,
  address: StoredAddress | undefined,
  country?: string | null,
): Party => ({ name, lines: addressLines({ ...address, country: address?.country ?? country ?? null }) });

/** Street, place, region and country, a line each. */
function addressLines(address: StoredAddress | undefined): string[] {
  const place = [address?.postalCode, address?.city].filter(Boolean).join(' ');
  const country = address?.country ? countryName(address.country) : '';
  const lines = [...(address?.lines ?? []), place, [address?.region, country].filter(Boolean).join(', ')];
  // A country alone is no address.
  return lines.slice(0, -1).some(Boolean) ? lines.filter((line) => line !== '') : [];
}
