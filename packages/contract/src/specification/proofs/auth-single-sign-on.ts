import type { Proofs } from '../row.ts';

/** Tests that prove rows of auth-single-sign-on: row id to file and title. */
export const proofs: Proofs = {};
