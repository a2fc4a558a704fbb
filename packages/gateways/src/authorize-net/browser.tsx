/** Authorize.Net in the browser: numbers go from our own inputs to Accept.js, our code sends a nonce. */
import { expiryToWire, normaliseCardNumber } from '@counterfoil/domain/paying/card.ts';
import { accountOf, bankInputs } from '../kit/browser/bank-inputs.ts';
import { cardInputs, endOf } from '../kit/browser/card-inputs.ts';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import type { OwnInputs } from '../kit/browser/own-inputs.ts';
import { loadScript } from '../kit/browser/script-loader.ts';
import { createEntry as standardEntry } from '../kit/browser/standard-entry.tsx';
import { words } from '../kit/browser/words.ts';
import type { BillingOwner, CreateEntry, Entered, EntryConfig, MethodKind } from '../port/browser.ts';
import { type AcceptReply, acceptData, readReply } from './accept.ts';

interface Accept {
  dispatchData(data: object, handler: (reply: AcceptReply) => void): void;
}

declare global {
  interface Window {
    Accept?: Accept;
  }
}

/** Longest wait for an answer of the script, milliseconds. */
const answerMs = 30_000;

export const createEntry: CreateEntry = (kind, config) => {
  if (config.how !== 'ownFieldsToProvider') return standardEntry(kind, config);
  const inputs = kind === 'card' ? cardInputs() : bankInputs(config);
  const end = kind === 'card' ? endOf(inputs) : undefined;
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} {...(end && { endOf: end })} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    async submit(owner) {
      const entered = await tokenise(kind, config, inputs, owner);
      if ('error' in entered && entered.field !== undefined) inputs.refuse(entered.field, entered.error);
      return entered;
    },
    needsPrepared: false,
  };
};

async function tokenise(
  kind: MethodKind,
  { public: known }: EntryConfig,
  inputs: OwnInputs,
  owner: BillingOwner,
): Promise<Entered> {
  try {
    const accept = await loadScript(String(known['scriptUrl']), () => window.Accept);
    const account = { apiLoginID: String(known['apiLoginId']), clientKey: String(known['clientKey']) };
    const typed =
      kind === 'card'
        ? {
            number: normaliseCardNumber(inputs.textOf('number')),
            expiry: expiryToWire(inputs.textOf('expiry')) ?? '',
            code: inputs.textOf('cvc'),
          }
        : accountOf(inputs);
    const data = acceptData(account, kind, typed, owner);
    const reply = await new Promise<AcceptReply>((resolve, reject) => {
      setTimeout(() => reject(new Error('Accept.js did not answer')), answerMs);
      accept.dispatchData(data, resolve);
    });
    return readReply(reply, kind, typed);
  } catch {
    return { error: words.unreachable };
  }
}
