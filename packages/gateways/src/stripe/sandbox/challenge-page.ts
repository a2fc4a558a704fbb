/** `/stripe/3ds/:id`: the page on which the cardholder passes or fails the challenge. */
import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { openAccount, taskWork } from './account.ts';
import { answerChallenge, findChallenge, type OpenChallenge, returnAddress } from './challenges.ts';
import { followIntent } from './checkout.ts';
import { page, redirect, shownAmount } from './pages.ts';

export const challengePath = '/stripe/3ds';
const doneScript = '/stripe/v3/challenge-done.js';

export async function challengePage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const id = request.path.slice(challengePath.length + 1);
  const options = { frameAncestors: host.portalOrigins };
  const open = findChallenge(
    host,
    (account) => taskWork(host, openAccount(host, account), host.store.begin()),
    id,
  );
  if (open === undefined) {
    return page(
      404,
      'Not found',
      '<h1>This authentication does not exist</h1><p>The link is wrong, or the sandbox was reset.</p>',
      options,
    );
  }
  if (request.method === 'POST') return await answered(host, open, request);
  return page(200, 'Card authentication', question(open), options);
}

async function answered(
  host: SandboxHost,
  open: OpenChallenge,
  request: SandboxRequest,
): Promise<SandboxReply> {
  const outcome = new URLSearchParams(request.body.toString('utf8')).get('outcome');
  if (outcome !== 'complete' && outcome !== 'fail') {
    return page(
      400,
      'Card authentication',
      `<p role="alert">Choose one of the two buttons.</p>${question(open)}`,
      {
        frameAncestors: host.portalOrigins,
      },
    );
  }
  const tx = host.store.begin();
  const work = taskWork(host, openAccount(host, open.challenge.account), tx);
  const intent = answerChallenge(work, open, outcome === 'complete');
  followIntent(work, intent);
  await tx.commit();
  host.webhooks.pump();
  const to = returnAddress(intent);
  if (to !== undefined) return redirect(to);
  return page(200, 'Card authentication', '<h1>Done</h1><p>You can go back to the shop.</p>', {
    frameAncestors: host.portalOrigins,
    script: doneScript,
  });
}

function question({ intent, waiting }: OpenChallenge): string {
  const amount =
    intent.object === 'payment_intent'
      ? `<p class="amount">${shownAmount(intent.amount, intent.currency)}</p>`
      : '<p>Your card will be saved for later payments.</p>';
  const stale = waiting
    ? ''
    : '<p role="alert">This authentication is no longer open. Answering it changes nothing.</p>';
  return `<h1>Confirm that this is you</h1>
<p>This page stands in for your bank's 3-D Secure check. No real money moves.</p>
${amount}${stale}
<form method="post">
<button class="primary" name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail">Fail authentication</button>
</form>`;
}
