import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type {
  CardChange,
  NewMethod,
  OpenSetup,
  PaymentDetails,
  ResellerCharge,
  SavedSource,
  SetupAnswer,
  SetupIntent,
  SetupQuestion,
} from '@counterfoil/contract/paying/payment-methods.ts';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import type { SaveMembers } from '../../paying/entry/sent-members.ts';

const SETUP = '/v1/ec/payments/setup-intent';
/** Bank accounts of the gateways on this list are detached there; those of others are removed as cards are. */
const SHARED_ACCOUNTS = '/v1/ec/payments/payment-methods';

/** An account as its gateway's path takes it: what was typed by the names of its fields, and what the entry made of it. */
export interface NewAccount extends SaveMembers {
  readonly type: number;
  readonly paymentMethodType: string;
  readonly mandateAccepted?: true;
  readonly mandateVersion?: string;
}

type Paths = NonNullable<PaymentDetails['paths']>;
const REPEAT_AFTER_MS = 1_500;

/**
 * A call that saves something: when its answer is lost it is asked once more under the same key, which saves nothing
 * twice.
 */
async function addMethod(path: string, body: NewMethod | SetupIntent | NewAccount): Promise<SetupAnswer> {
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const send = () => api.post<SetupAnswer>(path, body, { headers });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError && error.isPassing)) throw error;
    await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
    return send();
  }
}

export const methodCalls = {
  addCard: ({ cards }: Paths, card: NewMethod) => addMethod(cards, card),
  /** An open set-up for an account, or the page of the gateway that asks for it. */
  openSetup: (scheme: string) => api.get<OpenSetup>(SETUP, { query: { paymentMethodType: scheme } }),
  /** An account by the gateway's own path, for what is no token of the provider's script. */
  addAccountAt: ({ accounts }: Paths, account: NewAccount) => addMethod(accounts, account),
  /** Makes at the gateway what a form needs before anything is typed. */
  prepare: (kind: 'card' | 'bank', scheme?: string) =>
    api.post<PreparedEntry>('/v1/ec/payments/entries', {
      purpose: 'save',
      kind,
      ...(scheme !== undefined && { scheme }),
    }),
  addAccount: (account: SetupIntent) => addMethod(SETUP, account),
  /** How a setup stands; with the proof of a small deposit it goes on. */
  result: (question: SetupQuestion) => api.post<SetupAnswer>(`${SETUP}/result`, question),
  change: ({ cards }: Paths, change: CardChange) => api.put<SavedSource>(cards, change),
  setDefault: ({ defaultSource }: Paths, id: string) => api.put<void>(defaultSource, { id }),
  remove: ({ cards, accounts }: Paths, { id, kind }: Pick<SavedSource, 'id' | 'kind'>) =>
    api.delete<void>(
      kind === 'bank' && accounts === SHARED_ACCOUNTS
        ? `${SHARED_ACCOUNTS}/${encodeURIComponent(id)}/detach`
        : `${cards}/${encodeURIComponent(id)}`,
    ),
  allowCharge: (allowResellerCharge: boolean) =>
    api.put<ResellerCharge>('/v1/ec/allow-reseller-charge', { allowResellerCharge }, { host: 'reseller' }),
};
