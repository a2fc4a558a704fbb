/** Trees of the past whose installations are brought up to date, oldest first. */
export interface OldTree {
  readonly commit: string;
  /** How many migrations it had. */
  readonly schema: number;
  /** Why this one. */
  readonly why: string;
}

/** No version is released yet: these stand for those that would be. */
export const oldTrees: readonly OldTree[] = [
  { commit: 'a9df6edd', schema: 9, why: 'the first whose server starts with a demo world' },
  { commit: '5ed7f18f', schema: 20, why: 'before saved methods, bulk payment and auto-pay' },
  { commit: 'fbd1a974', schema: 40, why: 'before the words of payments changed (0041)' },
  { commit: '0c18d914', schema: 75, why: 'before webhooks out and bank entries' },
  { commit: '49ecc507', schema: 90, why: 'before the sealed audit trail (0091)' },
];
