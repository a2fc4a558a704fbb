/** BPOINT in the browser: its own inputs in frames, or ours, whose numbers its script attaches to the auth key of the entry. */
import { accountOf, bankInputs } from '../kit/browser/bank-inputs.ts';
import { cardInputs, cardNumbers, endOf } from '../kit/browser/card-inputs.ts';
import { StatusLine } from '../kit/browser/field-parts.tsx';
import { OwnFields } from '../kit/browser/own-fields.tsx';
import { ProviderFields } from '../kit/browser/provider-fields.tsx';
import { loadScript } from '../kit/browser/script-loader.ts';
import { words } from '../kit/browser/words.ts';
import type {
  BillingOwner,
  CreateEntry,
  Entered,
  EntryConfig,
  MethodEntry,
  MethodKind,
  PreparedEntry,
} from '../port/browser.ts';
import { FieldsSession, present, textOf } from './fields-session.ts';

export const createEntry: CreateEntry = (kind, config) =>
  config.how === 'providerFields' ? framedEntry(config) : ownEntry(kind, config);

/** The provider's inputs belong to one auth key: another entry gets others. */
function framedEntry({ public: known }: EntryConfig): MethodEntry {
  let open: { readonly entryId: string; readonly session: FieldsSession } | undefined;
  const sessionFor = (prepared: PreparedEntry | undefined): FieldsSession | undefined => {
    if (prepared?.action.do !== 'browser') return undefined;
    if (open?.entryId !== prepared.entryId)
      open = {
        entryId: prepared.entryId,
        session: new FieldsSession(String(known['scriptUrl']), prepared.action.config),
      };
    return open.session;
  };
  return {
    Fields: (props) => {
      const session = sessionFor(props.prepared);
      return session === undefined ? (
        <StatusLine status="failed" onRetry={() => props.onReload?.()} />
      ) : (
        <ProviderFields key={props.prepared?.entryId} {...props} session={session} />
      );
    },
    problems: () => open?.session.problems() ?? [{ field: 'number', text: words.notReady }],
    focus: (field) => open?.session.focus(field),
    submit: async () => open?.session.submit() ?? { error: words.notReady },
    needsPrepared: true,
  };
}

function ownEntry(kind: MethodKind, config: EntryConfig): MethodEntry {
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
}

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
      resolve(code === 'success' ? { token: authkey } : { error: textOf(data) }),
    ),
  );
}
