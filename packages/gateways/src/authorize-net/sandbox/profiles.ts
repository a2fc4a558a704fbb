/** Customer profiles in the sandbox. */
import { declinedZip, words } from './data.ts';
import {
  AnetFault,
  type Body,
  bodyAt,
  type Call,
  contentsOf,
  gateway,
  iso,
  type Method,
  maskedPayment,
  methodOf,
  nextId,
  notFound,
  now,
  type PaymentProfile,
  type Profile,
  Refused,
  textAt,
  type Work,
} from './work.ts';

function profileOf({ account }: Work, id: string): Profile {
  const found = account.profiles.get(id);
  if (found === undefined) throw notFound();
  return found;
}

export const createProfile: Call = (work, body) => {
  const { turn, account } = work;
  const wanted = bodyAt(body, 'profile');
  const [merchantCustomerId, description, email] = ['merchantCustomerId', 'description', 'email'].map(
    (name) => textAt(wanted, name),
  ) as [string, string, string];
  if (`${merchantCustomerId}${description}${email}` === '')
    throw new AnetFault('E00041', 'One or more fields in the profile must contain a value.');
  const same = [...account.profiles.newest()].find(
    (one) =>
      one.merchantCustomerId === merchantCustomerId && one.description === description && one.email === email,
  );
  if (same !== undefined)
    throw new AnetFault('E00039', `A duplicate record with ID ${same.id} already exists.`);
  const id = nextId(account.profiles, 500_000_000);
  turn.tx.put(account.profiles, id, { id, merchantCustomerId, description, email, methods: [] });
  return {
    customerProfileId: id,
    customerPaymentProfileIdList: [],
    customerShippingAddressIdList: [],
    validationDirectResponseList: [],
  };
};

const shownProfile = (
  { id, isDefault, customerType, billTo, method }: PaymentProfile,
  unmask: boolean,
): Body => ({
  ...(isDefault ? { defaultPaymentProfile: true } : {}),
  customerPaymentProfileId: id,
  payment: maskedPayment(method, unmask),
  customerType,
  // Nothing is an empty element, not a missing one.
  ...(Object.keys(billTo).length === 0 ? {} : { billTo }),
});

export const getProfile: Call = (work, body) => {
  const key = textAt(body, 'merchantCustomerId');
  const id = textAt(body, 'customerProfileId');
  const found =
    key === ''
      ? profileOf(work, id)
      : [...work.account.profiles.newest()].find((one) => one.merchantCustomerId === key);
  if (found === undefined) throw notFound();
  const { merchantCustomerId, description, email, methods } = found;
  const unmask = textAt(body, 'unmaskExpirationDate') === 'true';
  return {
    profile: {
      ...(methods.length === 0 ? {} : { paymentProfiles: methods.map((one) => shownProfile(one, unmask)) }),
      profileType: 'regular',
      customerProfileId: found.id,
      merchantCustomerId,
      description,
      email,
    },
  };
};

/** The profile and payment profile a request names. */
function named(work: Work, body: Body, id = textAt(body, 'customerPaymentProfileId')) {
  const profile = profileOf(work, textAt(body, 'customerProfileId'));
  const method = profile.methods.find((one) => one.id === id);
  if (method === undefined) throw notFound();
  return { profile, method };
}

const write = ({ turn, account }: Work, profile: Profile, methods: readonly PaymentProfile[]): void =>
  turn.tx.put(account.profiles, profile.id, { ...profile, methods });

/** Asks the bank of a card that is saved, as a payment of nothing that is voided at once. @throws {AnetFault} E00027 */
function validate(work: Work, mode: string, method: Method, billTo: Body): string {
  if (mode !== 'liveMode' || method.kind === 'bank') return '';
  const contents = contentsOf(method, { amount: '0.00', validation: true }, billTo);
  const asked = work.turn.host.store.collection<number>(`${gateway}/${work.account.id}/validation`);
  const reason =
    now(work) - (asked.get(contents) ?? 0) < 120_000 ? 11 : textAt(billTo, 'zip') === declinedZip ? 2 : 1;
  work.turn.tx.put(asked, contents, now(work));
  const direct = `${reason === 1 ? 1 : reason === 11 ? 3 : 2},1,${reason},${words[reason]},,P,0,none,,0.00,CC,auth_only`;
  if (reason !== 1) throw new AnetFault('E00027', words[reason] ?? '', { validationDirectResponse: direct });
  return direct;
}

export const addPaymentProfile: Call = (work, body) => {
  const profile = profileOf(work, textAt(body, 'customerProfileId'));
  const wanted = bodyAt(body, 'paymentProfile');
  const billTo = bodyAt(wanted, 'billTo');
  const method = asApi(() => methodOf(work, bodyAt(wanted, 'payment')));
  const same = profile.methods.find(
    (one) =>
      one.method.print === method.print &&
      ['firstName', 'lastName', 'address', 'zip'].every(
        (name) => textAt(one.billTo, name) === textAt(billTo, name),
      ),
  );
  if (same !== undefined)
    throw new AnetFault('E00039', 'A duplicate customer payment profile already exists.', {
      customerProfileId: profile.id,
      customerPaymentProfileId: same.id,
    });
  if (profile.methods.length >= 10)
    throw new AnetFault('E00042', 'You cannot add more than 10 payment profiles.');
  const direct = validate(work, textAt(body, 'validationMode'), method, billTo);
  const { turn, account } = work;
  const counter = turn.host.store.collection<number>(`${gateway}/${account.id}/payment-profile`);
  const id = nextId(counter, 700_000_000);
  turn.tx.put(counter, id, 1);
  const isDefault = textAt(wanted, 'defaultPaymentProfile') === 'true';
  const others = isDefault ? profile.methods.map((one) => ({ ...one, isDefault: false })) : profile.methods;
  const customerType = textAt(wanted, 'customerType') || 'individual';
  write(work, profile, [
    ...others,
    { id, isDefault, customerType, billTo, method: { ...method, cvvResult: 'P' } },
  ]);
  return { customerProfileId: profile.id, customerPaymentProfileId: id, validationDirectResponse: direct };
};

/** A bad number where no transaction is made. */
export function asApi<T>(work: () => T): T {
  try {
    return work();
  } catch (fault) {
    if (fault instanceof Refused)
      throw new AnetFault('E00027', words[fault.reason] ?? '', {
        validationDirectResponse: `3,1,${fault.reason},${words[fault.reason]}`,
      });
    throw fault;
  }
}

/** The written method: masked values keep what there was. */
function rewritten(work: Work, known: Method, payment: Body): Method {
  const [card, bank] = [bodyAt(payment, 'creditCard'), bodyAt(payment, 'bankAccount')];
  if (known.kind === 'card' && textAt(card, 'cardNumber') === `XXXX${known.last4}`) {
    const expires = textAt(card, 'expirationDate');
    return expires === 'XXXX' ? known : { ...known, expires };
  }
  if (known.kind === 'bank' && textAt(bank, 'accountNumber') === `XXXX${known.last4}`)
    return { ...known, bank: { ...known.bank, ...bank } };
  return asApi(() => methodOf(work, payment));
}

export const updatePaymentProfile: Call = (work, body) => {
  const wanted = bodyAt(body, 'paymentProfile');
  const { profile, method: known } = named(work, body, textAt(wanted, 'customerPaymentProfileId'));
  const method = rewritten(work, known.method, bodyAt(wanted, 'payment'));
  const billTo = bodyAt(wanted, 'billTo');
  if (method.kind === 'card' && method.expires < iso(now(work)).slice(0, 7))
    throw new AnetFault('E00027', words[8] ?? '', { validationDirectResponse: `3,1,8,${words[8]}` });
  const direct = validate(work, textAt(body, 'validationMode'), method, billTo);
  const isDefault = textAt(wanted, 'defaultPaymentProfile') === 'true';
  const customerType = textAt(wanted, 'customerType');
  write(
    work,
    profile,
    profile.methods.map((one) =>
      one.id === known.id
        ? { id: one.id, isDefault, customerType, billTo, method }
        : { ...one, isDefault: isDefault ? false : one.isDefault },
    ),
  );
  return { validationDirectResponse: direct };
};

export const getPaymentProfile: Call = (work, body) => {
  const { profile, method } = named(work, body);
  const unmask = textAt(body, 'unmaskExpirationDate') === 'true';
  return { paymentProfile: { customerProfileId: profile.id, ...shownProfile(method, unmask) } };
};

export const deletePaymentProfile: Call = (work, body) => {
  const { profile, method } = named(work, body);
  write(
    work,
    profile,
    profile.methods.filter((one) => one !== method),
  );
  return {};
};
