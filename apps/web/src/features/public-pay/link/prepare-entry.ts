import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';

/** Makes at the gateway what the form of a link needs before anything is typed. */
export async function prepareEntry(
  uid: string,
  kind: 'card' | 'bank',
  scheme?: string,
): Promise<PreparedEntry> {
  // Few gateways need it: the page begins without.
  const { openApi } = await import('../../../lib/api/open-api.ts');
  const body = { kind, ...(scheme !== undefined && { scheme }) };
  return openApi.post<PreparedEntry>(`/v1/ec/pay/${encodeURIComponent(uid)}/entries`, body);
}
