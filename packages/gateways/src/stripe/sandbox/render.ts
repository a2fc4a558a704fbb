/** From stored objects to what the caller sees: own fields removed, ids expanded on request. */
import type { Account } from './account.ts';
import { invalid } from './errors.ts';

/** A copy without the sandbox's own fields. */
export function visible(object: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) if (!name.startsWith('_')) shown[name] = value;
  return shown;
}

/** Fields of an intent that a publishable key may read. */
const publicIntentFields = new Set([
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
  'usage',
]);

export function forBrowser(intent: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(visible(intent)).filter(([name]) => publicIntentFields.has(name)));
}

/**
 * Replaces the id at each path by the object.
 * @param paths such as `latest_charge`, `data.customer`, `latest_charge.payment_intent`
 */
export function expand(account: Account, object: Record<string, unknown>, paths: readonly string[]): void {
  for (const path of paths) expandPath(account, object, path.split('.'), path);
}

function expandPath(
  account: Account,
  object: Record<string, unknown>,
  steps: readonly string[],
  path: string,
): void {
  const [step = '', ...rest] = steps;
  const value = object[step];
  if (value === undefined) {
    throw invalid(
      `This property cannot be expanded (${step}). You may want to try expanding a different property.`,
      `expand`,
    );
  }
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const entry of value) {
      if (isObject(entry) && rest.length > 0) expandPath(account, entry, rest, path);
    }
    return;
  }
  let found: unknown = value;
  if (typeof value === 'string') {
    const target = lookUp(account, value);
    if (target === undefined) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
    found = visible(target);
    object[step] = found;
  } else if (isObject(value)) {
    // A nested object is shared with the store: change a copy.
    found = { ...value };
    object[step] = found;
  }
  if (rest.length > 0 && isObject(found)) expandPath(account, found, rest, path);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object behind an id, told by its prefix. */
function lookUp(account: Account, id: string): object | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  switch (prefix) {
    case 'cus':
      return account.customers.get(id);
    case 'pm':
      return account.methods.get(id);
    case 'pi':
      return account.payments.get(id);
    case 'seti':
      return account.setups.get(id);
    case 'ch':
    case 'py':
      return account.charges.get(id);
    case 're':
    case 'pyr':
      return account.refunds.get(id);
    case 'mandate':
      return account.mandates.get(id);
    case 'du':
      return account.disputes.get(id);
    default:
      return undefined;
  }
}
