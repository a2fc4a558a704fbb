/** What other features use of the provider's acts, beside the reads of queries.ts. */
export { removeBrandImage, setBrandImage } from './brand-images.ts';
export { checkedBrand, nextBrandId } from './brands.ts';
export { checkedCountry, checkedEmail, checkedHost, checkedName, requireReseller } from './checks.ts';
export { checkedIssuer } from './companies.ts';
export {
  disableGateway,
  enableGateway,
  type GatewayChange,
  isSet,
  setGatewayAccount,
  storedSettings,
} from './gateway-accounts.ts';
export {
  accountToVerify,
  elsewhereOf,
  type LastVerification,
  lastVerifications,
  recordVerification,
  standOf,
  type VerifiedAccount,
} from './gateway-verifications.ts';
export { AdminRefused } from './refused.ts';
export type { Added } from './resellers.ts';
export { withoutDefaults } from './settings-input.ts';
export { setUserActive } from './users.ts';
