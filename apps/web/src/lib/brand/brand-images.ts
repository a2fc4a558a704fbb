import { runtimeConfig } from '../page/runtime-config.ts';

/** Id of the built-in brand, whose images stand in where a brand's own do not load (specification, portal §1). */
const builtInBrand = 0;

export type BrandImage = 'logo' | 'banner';

/** Address of a brand's image. */
export const brandImageUrl = (image: BrandImage, brandId: number): string =>
  `${runtimeConfig.apiHost}/v1/brands/${brandId}/${image}`;

/** The address to try after `failed` did not load; none when it was the built-in one. */
export const imageFallback = (image: BrandImage, failed: string): string | undefined => {
  const own = brandImageUrl(image, builtInBrand);
  return failed.endsWith(own) ? undefined : own;
};
