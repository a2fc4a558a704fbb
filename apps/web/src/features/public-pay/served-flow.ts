import type { PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { canTakeCards } from '../../lib/card-entry/use-card-entry.ts';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { createDraftStore } from './draft.ts';
import { PayFlow } from './pay-flow.ts';

const never = () => new Promise<never>(() => undefined);
const nothing = () => undefined;

/** The flow as it begins with an invoice that can be paid, for drawing where nobody can press anything yet. */
export function servedFlow(info: PaymentInfo): PayFlow | undefined {
  const flow = new PayFlow({
    uid: info.uid,
    calls: { details: never, pay: never, confirm: never },
    canTakeCards,
    watch: { announce: nothing },
    drafts: createDraftStore(memoryStorage(), info.uid),
    now: () => new Date(),
    waiter: { wait: never, wake: nothing },
    newKey: () => '',
    go: nothing,
    notSentText: '',
  });
  void flow.start(undefined, info);
  return flow.view().state === 'form' ? flow : undefined;
}
