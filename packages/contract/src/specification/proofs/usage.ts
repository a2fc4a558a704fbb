import type { Proofs } from '../row.ts';

/** Tests that prove rows of usage: row id to file and title. */
export const proofs: Proofs = {};
