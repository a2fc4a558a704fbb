/** Nexio in the browser: its frame, which saves what stands in it; or our own inputs, whose number is encrypted with its key. */
import { useCallback, useState } from 'react';
import { accountOf, bankInputs } from '../kit/browser/bank-inputs.ts';
import { brandOf } from '../kit/browser/card-brand.ts';
import { cardInputs, cardNumbers, endOf } from '../kit/browser/card-inputs.ts';
import { StatusLine } from '../kit/browser/field-parts.tsx';
import { FrameHost, isFrameAction } from '../kit/browser/frame-host.tsx';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import { pageWords } from '../kit/browser/page-words.ts';
import { words } from '../kit/browser/words.ts';
import type {
  BillingOwner,
  CreateEntry,
  Entered,
  EntryConfig,
  EntryFieldsProps,
  EntryStatus,
  MethodEntry,
  MethodKind,
} from '../port/browser.ts';
import { encryptDigits } from './encryption.ts';
import { readFrame } from './frame-messages.ts';

export const createEntry: CreateEntry = (kind, config) =>
  config.how === 'providerFrame' ? frameEntry(kind) : encryptedEntry(kind, config);

// ---- The provider's frame ----

/** Longest wait for what the frame has to say, milliseconds. */
const answerMs = 30_000;

function frameEntry(kind: MethodKind): MethodEntry {
  let frame: Window | null = null;
  let origin = '';
  let renew: () => void = () => undefined;
  let answered: (said: Entered) => void = () => undefined;

  /** The frame works with its one-time token once: whatever it says, another is made for the next press. */
  const post = (target: Window): Promise<Entered> => {
    frame = null;
    const answer = new Promise<Entered>((resolve) => {
      const late = setTimeout(() => resolve({ error: words.unreachable }), answerMs);
      answered = (said) => {
        clearTimeout(late);
        resolve(said);
      };
    });
    target.postMessage('posted', origin);
    return answer.then((said) => {
      if ('error' in said) renew();
      return said;
    });
  };

  return {
    Fields: (props) => (
      <FrameFields
        {...props}
        kind={kind}
        onWindow={(window, at) => {
          frame = window;
          origin = at;
          renew = () => props.onReload?.();
        }}
        onData={(data) => {
          const said = readFrame(data);
          if (said === undefined) return false;
          if (said !== 'other') answered(said);
          return true;
        }}
      />
    ),
    problems: () => (frame === null ? [{ field: kind, text: words.notReady }] : []),
    focus: () => undefined,
    submit: () => (frame === null ? Promise.resolve({ error: words.notReady }) : post(frame)),
    needsPrepared: true,
  };
}

interface FrameFieldsProps extends EntryFieldsProps {
  readonly kind: MethodKind;
  readonly onWindow: (frame: Window | null, origin: string) => void;
  readonly onData: (data: unknown) => boolean;
}

function FrameFields({ kind, prepared, onWindow, onData, onState, onReload }: FrameFieldsProps) {
  const [, setStatus] = useState<EntryStatus>('loading');
  const action = prepared?.action;
  // What stands in the frame the page does not know: its answer tells.
  const onStatus = useCallback(
    (status: EntryStatus) => {
      setStatus(status);
      onState?.({ status, isComplete: status === 'ready' });
    },
    [onState],
  );
  if (!isFrameAction(action))
    return <StatusLine status="failed" failed={pageWords.frameFailed} onRetry={() => onReload?.()} />;
  return (
    <FrameHost
      key={prepared?.entryId}
      action={action}
      title={kind === 'card' ? pageWords.cardFrame : pageWords.bankFrame}
      onData={onData}
      onWindow={(frame) => onWindow(frame, new URL(action.url).origin)}
      onStatus={onStatus}
    />
  );
}

// ---- Own inputs, encrypted here ----

/** Said where the number cannot be encrypted: payments §8; on the public page §5, whose words have another apostrophe. */
const notConfigured = {
  save: "The payment gateway isn't configured properly. Please contact support if the issue persists.",
  payOnce: 'The payment gateway isn’t configured properly. Please contact support if the issue persists.',
} as const;

/** Networks by the provider's names. */
const cardTypes: Readonly<Record<string, string>> = {
  Visa: 'visa',
  Mastercard: 'mastercard',
  Discover: 'discover',
  Amex: 'amex',
  JCB: 'jcb',
};

function encryptedEntry(kind: MethodKind, config: EntryConfig): MethodEntry {
  const inputs = kind === 'card' ? cardInputs() : bankInputs(config);
  const end = kind === 'card' ? endOf(inputs) : undefined;
  const key = String(config.public['publishableKey'] ?? '');
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} {...(end && { endOf: end })} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    submit: (owner) =>
      kind === 'card'
        ? encryptCard(key, cardNumbers(inputs), owner, config.purpose)
        : encryptAccount(key, accountOf(inputs), owner),
    needsPrepared: false,
  };
}

/** A payment's body has the number's place and the expiry as always; a saved card's is the provider's own (payments §7). */
async function encryptCard(
  key: string,
  { cardNumber = '', expirationDate = '', cardCode = '' }: ReturnType<typeof cardNumbers>,
  owner: BillingOwner,
  purpose: EntryConfig['purpose'] = 'save',
): Promise<Entered> {
  const encryptedNumber = await encryptDigits(key, cardNumber);
  if (encryptedNumber === undefined) return { error: notConfigured[purpose] };
  const [expirationYear = '', expirationMonth = ''] = expirationDate.split('-');
  const cardType = cardTypes[brandOf(cardNumber) ?? ''];
  const saved = {
    firstSix: cardNumber.slice(0, 6),
    lastFour: cardNumber.slice(-4),
    cvv: cardCode,
    ...(cardType !== undefined && { cardType }),
    expirationMonth,
    expirationYear,
    encryptedNumber,
    cardHolderName: owner.name ?? '',
  };
  return { numbers: { cardNumber: encryptedNumber, expirationDate, cardCode, saved } };
}

async function encryptAccount(
  key: string,
  { routingNumber = '', bankAccountNumber = '' }: Readonly<Record<string, string>>,
  owner: BillingOwner,
): Promise<Entered> {
  const encryptedBankAccountNumber = await encryptDigits(key, bankAccountNumber);
  if (encryptedBankAccountNumber === undefined) return { error: notConfigured.save };
  const billingAddress = owner.billing?.line1;
  const saved = {
    routingNumber,
    encryptedBankAccountNumber,
    accountHolderName: owner.name ?? '',
    ...(owner.email && { email: owner.email }),
    ...(billingAddress && { billingAddress }),
    lastFour: bankAccountNumber.slice(-4),
  };
  return { numbers: { saved } };
}
