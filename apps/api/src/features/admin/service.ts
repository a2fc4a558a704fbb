/** What other features use of the provider's acts, beside the reads of queries.ts. */
export { removeBrandImage, setBrandImage } from './brand-images.ts';
export { checkedBrand, nextBrandId } from './brands.ts';
export { checkedCountry, checkedEmail, checkedHost, checkedName, requireReseller } from './checks.ts';
export { AdminRefused } from './refused.ts';
export type { Added } from './resellers.ts';
export { withoutDefaults } from './settings-input.ts';
export { addUser, setUserActive } from './users.ts';
