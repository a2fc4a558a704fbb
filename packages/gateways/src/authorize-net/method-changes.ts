/** Changes of saved methods. The service replaces a payment profile whole, so that each is read, changed and written. */
import type { GatewayState, SetupResult } from '../port/gateway.ts';
import { ask, askOk, type Deps } from './client.ts';
import { createdReply, envelope, faultOf, type PaymentProfileReply } from './replies.ts';
import {
  isNone,
  readOne,
  readSaved,
  refused,
  setupFault,
  setupRefusal,
  textIn,
  validationRefused,
} from './saved-methods.ts';
import { billTo, type PaymentProfile, updatePaymentProfileRequest, type WireBody, wireText } from './wire.ts';

/** A payment profile as it must be written again, masked numbers included: what is left out would be blanked. */
function asRead({ customerType, billTo: address, payment }: PaymentProfileReply): PaymentProfile {
  const { creditCard: card, bankAccount: bank } = payment;
  const kept = [
    'firstName',
    'lastName',
    'company',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'phoneNumber',
  ];
  return {
    customerType: customerType || 'individual',
    billTo: Object.fromEntries(
      kept.flatMap((name) => {
        const value = textIn(address, name);
        return value === '' ? [] : [[name, value]];
      }),
    ),
    payment: bank
      ? {
          bankAccount: {
            accountType: bank.accountType ?? 'checking',
            routingNumber: bank.routingNumber ?? '',
            accountNumber: bank.accountNumber ?? '',
            nameOnAccount: bank.nameOnAccount ?? '',
            echeckType: bank.echeckType || 'WEB',
            ...(bank.bankName ? { bankName: bank.bankName } : {}),
          },
        }
      : { creditCard: { cardNumber: card?.cardNumber ?? '', expirationDate: 'XXXX' } },
  };
}

const idsOf = ({ profile = '', payment = '' }: GatewayState) => ({ profile, payment });

/** {@link Gateway.setDefaultMethod} of Authorize.Net: it takes the mark from the others. */
export async function setDefault(deps: Deps, method: GatewayState): Promise<'done' | 'unknown'> {
  const read = await readOne(deps, method);
  if (read.is !== 'answer') return 'unknown';
  const body = updatePaymentProfileRequest(
    idsOf(method),
    { ...asRead(read.value.paymentProfile), isDefault: true },
    'none',
  );
  const done = await askOk(deps, { method: 'updateCustomerPaymentProfile', body }, envelope);
  return done.is === 'answer' ? 'done' : 'unknown';
}

/** {@link Gateway.updateMethod} of Authorize.Net. Numbers cannot change; a card needs a country. */
export async function editMethod(
  deps: Deps,
  method: GatewayState,
  change: Readonly<Record<string, string>>,
): Promise<SetupResult> {
  const read = await readOne(deps, method);
  if (isNone(read)) return { is: 'notAttempted', why: 'methodGone', detail: 'it was removed' };
  if (read.is !== 'answer') return setupFault(read);
  const reply = read.value.paymentProfile;
  const before = asRead(reply);
  const isCard = !reply.payment.bankAccount;
  const address = changedAddress(before.billTo, change, isCard);
  if (isCard && (address['country'] ?? '') === '')
    return refused('country', 'fixInput', 'Please choose a country');
  const { expMonth, expYear } = change;
  const isNewExpiry = expMonth !== undefined && expYear !== undefined;
  const wanted: PaymentProfile = {
    ...before,
    billTo: address,
    payment: isCard
      ? {
          creditCard: {
            cardNumber: reply.payment.creditCard?.cardNumber ?? '',
            expirationDate: isNewExpiry ? `${expYear}-${expMonth.padStart(2, '0')}` : 'XXXX',
          },
        }
      : changedAccount(before.payment, change),
    ...(reply.defaultPaymentProfile === true || reply.defaultPaymentProfile === 'true'
      ? { isDefault: true }
      : {}),
  };
  const mode = isNewExpiry ? deps.config.validation : 'none';
  const body = updatePaymentProfileRequest(idsOf(method), wanted, mode);
  const done = await ask(deps, { method: 'updateCustomerPaymentProfile', body }, createdReply);
  if (done.is !== 'answer') return setupFault(done);
  const { code, detail } = faultOf(done.value);
  if (code === 'E00027')
    return validationRefused(done.value.validationDirectResponse ?? '', isCard ? 'card' : 'bank');
  if (done.value.messages.resultCode !== 'Ok') return setupRefusal(code, detail);
  const after = await readSaved(deps, method);
  return after.is === 'there'
    ? { is: 'saved', method: after.method }
    : { is: 'unknown', evidence: 'the changed method could not be read' };
}

const addressNames: Readonly<Record<string, string>> = {
  company: 'company',
  line1: 'address',
  city: 'city',
  state: 'state',
  postalCode: 'zip',
  country: 'country',
  phone: 'phoneNumber',
};

/** The address in the schema's order, with what was changed; an empty text takes a member away. */
function changedAddress(
  before: WireBody,
  change: Readonly<Record<string, string>>,
  isCard: boolean,
): WireBody {
  const names = isCard && change['name'] !== undefined ? billTo({ name: change['name'] }) : undefined;
  const { firstName, lastName } = names ?? before;
  const rest = Object.entries(addressNames).map(([own, theirs]) => {
    const text = wireText(change[own], 60) ?? before[theirs];
    return [theirs, text === '' ? undefined : text] as const;
  });
  return Object.fromEntries(
    [['firstName', firstName] as const, ['lastName', lastName] as const, ...rest].filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );
}

function changedAccount(before: WireBody, change: Readonly<Record<string, string>>): WireBody {
  const account = before['bankAccount'];
  if (typeof account !== 'object' || 'use' in account || Array.isArray(account)) return before;
  const [name, bankName] = [wireText(change['name'], 22), wireText(change['bankName'], 50)];
  const { bankName: _before, ...rest } = account as WireBody;
  const kept = bankName ?? _before;
  return {
    bankAccount: {
      ...rest,
      ...(change['accountType'] === undefined ? {} : { accountType: change['accountType'] }),
      ...(name === undefined ? {} : { nameOnAccount: name }),
      ...(kept === undefined || kept === '' ? {} : { bankName: kept }),
    },
  };
}
