import { methodCalls } from '../calls.ts';
import { t } from '../messages.ts';
import { leaveTo } from './leave-to.ts';

/**
 * Leaves for the gateway's own page, which asks for a method; it comes back to this page.
 * @param scheme 'card', or the gateway's name of the kind of account
 * @param isPrepared the page is that of an entry; else it is the one of a set-up
 * @throws {Error} when the gateway has no page for it
 */
export async function leaveForEntry(
  kind: 'card' | 'bank',
  scheme: string,
  isPrepared: boolean,
): Promise<void> {
  const to = isPrepared
    ? await pageOfEntry(kind, scheme)
    : (await methodCalls.openSetup(scheme)).redirectToUrl;
  if (to === undefined) throw new Error(t('add.noPage'));
  await leaveTo(to);
}

async function pageOfEntry(kind: 'card' | 'bank', scheme: string): Promise<string | undefined> {
  const { action } = await methodCalls.prepare(kind, kind === 'card' ? undefined : scheme);
  return action.do === 'redirect' ? action.to : undefined;
}
