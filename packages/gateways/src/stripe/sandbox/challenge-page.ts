/** `/stripe/3ds/:id`: the page on which the cardholder passes or fails the challenge. */
import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { challengePage } from '@counterfoil/sandbox/pages/challenge-page.ts';
import { openAccount, taskWork } from './account.ts';
import { answerChallenge, findChallenge, returnAddress } from './challenges.ts';
import { followIntent } from './checkout.ts';

export const challengePath = '/stripe/3ds';

export function cardChallenge(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const id = request.path.slice(challengePath.length + 1);
  const workOf = (account: string) => taskWork(host, openAccount(host, account), host.store.begin());
  const open = findChallenge(host, workOf, id);
  const shown = open && {
    waiting: open.waiting,
    ...(open.intent.object === 'payment_intent'
      ? { amount: { minor: open.intent.amount, currency: open.intent.currency } }
      : {}),
  };
  const options = { frameAncestors: host.portalOrigins, doneScript: '/stripe/v3/challenge-done.js' };
  return challengePage(request, shown, options, async (passed) => {
    if (open === undefined) return undefined;
    const work = workOf(open.challenge.account);
    const intent = answerChallenge(work, open, passed);
    followIntent(work, intent);
    await work.tx.commit();
    host.webhooks.pump();
    return returnAddress(intent);
  });
}
