import type { UserRow } from './queries.ts';

/**
 * Whether this process lets a user in at all: those of a demo world, whose password is published, in a demo only.
 * Whoever makes, renews or proves a session asks here, whatever the way to it.
 */
export const mayEnter = ({ isDemo }: { readonly isDemo: boolean }, user: Pick<UserRow, 'is_demo'>): boolean =>
  isDemo || !user.is_demo;
