/** What other features use of the provider's acts, beside the reads of queries.ts. */
export { checkedCountry, checkedEmail, checkedName, requireReseller } from './checks.ts';
export { AdminRefused } from './refused.ts';
export type { Added } from './resellers.ts';
export { addUser } from './users.ts';
