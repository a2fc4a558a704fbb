import { MAX_PREFERENCES, type Preferences } from '@counterfoil/contract/preferences.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import { lockUser } from '../auth/queries.ts';
import * as queries from './queries.ts';

export interface PreferencesDeps {
  readonly db: Database;
}

/** All of the user's choices, by key. */
export async function myPreferences({ db }: PreferencesDeps, userId: string): Promise<Preferences> {
  const rows = await queries.listPreferences(db, userId);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/**
 * Keeps a choice; null removes it.
 * @throws {AppError} preference.tooMany
 */
export async function setPreference(
  { db }: PreferencesDeps,
  userId: string,
  key: string,
  value: unknown,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (value === null) return queries.removePreference(tx, userId, key);
    // One after the other, so that two at once do not pass the limit together.
    await lockUser(tx, userId);
    const { count } = await queries.countOthers(tx, userId, key);
    if (count >= MAX_PREFERENCES) throw new AppError('preference.tooMany');
    return queries.putPreference(tx, userId, key, JSON.stringify(value));
  });
}
