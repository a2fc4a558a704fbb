/** The page on which the cardholder passes or fails a bank's 3-D Secure check. */
import type { SandboxReply, SandboxRequest } from '../gateway-sandbox.ts';
import { page, redirect, shownAmount } from './page.ts';

const nobody = { frameAncestors: [] };

/** A challenge as its page shows it. */
export interface ShownChallenge {
  /** What is being paid, minor units; absent when a card is only saved. */
  readonly amount?: { readonly minor: number; readonly currency: string };
  /** Whether anything still waits for the answer. */
  readonly waiting: boolean;
  /** Carries the cardholder's answer out; gives the address to go to. */
  readonly answer: (passed: boolean) => Promise<string>;
}

/**
 * Shows the page, or takes its answer.
 */
export async function challengePage(
  request: SandboxRequest,
  shown: ShownChallenge | undefined,
): Promise<SandboxReply> {
  const title = 'Card authentication';
  if (shown === undefined) {
    return page(
      404,
      'Not found',
      '<h1>This authentication does not exist</h1><p>The link is wrong, or the sandbox was reset.</p>',
      nobody,
    );
  }
  if (request.method !== 'POST') return page(200, title, question(shown), nobody);
  const outcome = new URLSearchParams(request.body.toString('utf8')).get('outcome');
  if (outcome !== 'complete' && outcome !== 'fail') {
    const body = `<p role="alert">Choose one of the two buttons.</p>${question(shown)}`;
    return page(400, title, body, nobody);
  }
  return redirect(await shown.answer(outcome === 'complete'));
}

function question({ amount, waiting }: ShownChallenge): string {
  const about =
    amount === undefined
      ? '<p>Your card will be saved for later payments.</p>'
      : `<p class="amount">${shownAmount(amount.minor, amount.currency)}</p>`;
  const stale = waiting
    ? ''
    : '<p role="alert">This authentication is no longer open. Answering it changes nothing.</p>';
  return `<h1>Confirm that this is you</h1>
<p>This page stands in for your bank's 3-D Secure check. No real money moves.</p>
${about}${stale}
<form method="post">
<button class="primary" name="outcome" value="complete">Complete</button>
<button name="outcome" value="fail">Fail authentication</button>
</form>`;
}
