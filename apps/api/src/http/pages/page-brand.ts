import type { BrandSettings } from '@counterfoil/contract/brand.ts';
import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import type { PageLink } from './page-text.ts';

/** What a page needs to be the brand's from its first paint. */
export interface PageBrand {
  readonly brand: BrandSettings | null;
  /** The custom properties of the brand's colours. */
  readonly styleSheet: string;
  /** Pages of the provider that the foot leads to. */
  readonly legal?: readonly PageLink[];
  /** Origins of the payment provider, where the page takes payments. */
  readonly provider?: {
    readonly script: readonly string[];
    readonly frame: readonly string[];
    readonly connect: readonly string[];
  };
  /** What a pay link asks for, where it could be told at once. */
  readonly payment?: PaymentInfo | undefined;
}
