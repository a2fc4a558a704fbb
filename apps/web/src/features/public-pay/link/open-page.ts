import { firstPaint } from '../../../lib/page/first-paint.ts';
import { tabStorage } from '../../../lib/session/tab-storage.ts';
import { createDraftStore } from '../form/draft.ts';
import { PayShell } from '../pay-shell.ts';
import { uidOf } from './pay-address.ts';

/**
 * The page as this browser opens it; the code that pays is asked for as soon as it stands.
 * @param isDrawn the server has drawn the form
 * @returns it, what begins it once it is shown, and what was typed before a visit at the bank
 */
export function openPage(isDrawn: boolean) {
  const { location, history } = globalThis;
  const { pathname, search } = location;
  const uid = uidOf(pathname);
  const drafts = createDraftStore(tabStorage(), uid);
  const shell = new PayShell(
    () => import('../open-pay-flow.ts').then(({ openPayFlow }) => openPayFlow({ uid, search, drafts })),
    drafts,
    isDrawn ? (firstPaint?.payment ?? undefined) : undefined,
  );
  // A reload must not report the return a second time, and the address holds nothing of the provider's.
  if (search !== '') history.replaceState(history.state, '', pathname);
  const onShown = () => {
    void shell.load();
    globalThis.addEventListener('online', () => void shell.load());
  };
  return { shell, onShown, kept: drafts.load(), part: drafts.part };
}
