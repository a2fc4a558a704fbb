/** BPOINT in the browser: our own inputs, whose numbers its script attaches to the auth key of the entry. */
import { accountOf, bankInputs } from '../kit/browser/bank-inputs.ts';
import { cardInputs, cardNumbers, endOf } from '../kit/browser/card-inputs.ts';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import { loadScript } from '../kit/browser/script-loader.ts';
import { words } from '../kit/browser/words.ts';
import type { BillingOwner, CreateEntry, Entered, PreparedEntry } from '../port/browser.ts';

interface Refusal {
  readonly message?: string;
  readonly details?: readonly { readonly message?: string }[];
}
type Attach = (authkey: string, method: object, done: (code: string, data: Refusal) => void) => void;
/** What the script brings. */
type Bpoint = Readonly<
  Record<'txn' | 'token', { readonly authkey: { readonly attachPaymentMethod: Attach } }>
>;

const present = (): Bpoint | undefined => (globalThis as { readonly BPOINT?: Bpoint }).BPOINT;

export const createEntry: CreateEntry = (kind, config) => {
  const inputs = kind === 'card' ? cardInputs() : bankInputs(config);
  const end = kind === 'card' ? endOf(inputs) : undefined;
  const scriptUrl = String(config.public['scriptUrl']);
  const methodOf = (owner: BillingOwner): object => {
    if (kind === 'bank') {
      const { routingNumber: bsb = '', bankAccountNumber: account = '' } = accountOf(inputs);
      return { bank: { bsb, account, name: owner.name ?? '' } };
    }
    const { cardNumber: number, expirationDate = '', cardCode: cvn } = cardNumbers(inputs);
    const [year = '', month = ''] = expirationDate.split('-');
    return { card: { number, expiry: { month, year: year.slice(-2) }, cvn, name: owner.name ?? '' } };
  };
  return {
    Fields: (props) => <OwnFields {...props} inputs={inputs} {...(end && { endOf: end })} />,
    problems: () => inputs.problems(),
    focus: (field) => inputs.focus(field),
    submit: (owner, prepared) => attach(scriptUrl, prepared, methodOf(owner)),
    needsPrepared: true,
  };
};

/** Without the script nothing is sent anywhere. */
async function attach(
  scriptUrl: string,
  prepared: PreparedEntry | undefined,
  method: object,
): Promise<Entered> {
  const action = prepared?.action;
  if (action?.do !== 'browser') return { error: words.notReady };
  const { authkey = '', of } = action.config;
  const api = await loadScript(scriptUrl, present).catch(() => undefined);
  if (api === undefined) return { error: words.unreachable };
  return new Promise((resolve) =>
    api[of === 'token' ? 'token' : 'txn'].authkey.attachPaymentMethod(authkey, method, (code, data) =>
      resolve(
        code === 'success'
          ? { token: authkey }
          : { error: data.details?.[0]?.message ?? data.message ?? words.unreachable },
      ),
    ),
  );
}
