import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import { api } from '../../lib/api/api.ts';

/** Makes at the gateway what the form of a new card needs before anything is typed. @param uid of the payment's session */
export const prepareForBulk = (uid: string): Promise<PreparedEntry> =>
  api.post<PreparedEntry>('/v1/ec/payments/entries', { purpose: 'payOnce', kind: 'card', uid });
