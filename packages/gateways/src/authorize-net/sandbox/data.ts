/**
 * What Authorize.Net's schema and testing guide say, as its sandbox needs it: the order of keys, lengths, and what test data comes to.
 * Written from AnetApiSchema.xsd and https://developer.authorize.net/hello_world/testing_guide.html, not from the adapter.
 */

/**
 * Members of each type in the schema's order: `name`, then `!` where it is required, `:min-max` characters or `:max`,
 * `=type` of what is inside, `*` for a list of these. A type that begins with `|` takes one member only.
 */
const types: Readonly<Record<string, string>> = {
  merchantAuthentication: 'name!:25 transactionKey:16 clientKey:200',
  authenticateTestRequest: '',
  getMerchantDetailsRequest: '',
  createCustomerProfileRequest: 'profile!=customerProfile validationMode',
  customerProfile:
    'merchantCustomerId:20 description:255 email:255 paymentProfiles*=paymentProfile profileType',
  getCustomerProfileRequest:
    'customerProfileId merchantCustomerId:20 email:255 unmaskExpirationDate includeIssuerInfo',
  createCustomerPaymentProfileRequest: 'customerProfileId! paymentProfile!=paymentProfile validationMode',
  updateCustomerPaymentProfileRequest: 'customerProfileId! paymentProfile!=paymentProfileEx validationMode',
  getCustomerPaymentProfileRequest:
    'customerProfileId! customerPaymentProfileId unmaskExpirationDate includeIssuerInfo',
  deleteCustomerPaymentProfileRequest: 'customerProfileId! customerPaymentProfileId!',
  paymentProfile:
    'customerType billTo=address payment=payment driversLicense taxId:8-9 defaultPaymentProfile subsequentAuthInformation=subsequentAuth',
  paymentProfileEx:
    'customerType billTo=address payment=payment driversLicense taxId:8-9 defaultPaymentProfile subsequentAuthInformation=subsequentAuth customerPaymentProfileId!',
  address:
    'firstName:50 lastName:50 company:50 address:60 city:40 state:40 zip:20 country:60 phoneNumber:25 faxNumber:25 email',
  payment: '|creditCard=creditCard bankAccount=bankAccount opaqueData=opaqueData',
  creditCard: 'cardNumber!:4-16 expirationDate!:4-7 cardCode:3-4',
  bankAccount:
    'accountType routingNumber!:9 accountNumber!:17 nameOnAccount!:22 echeckType bankName:50 checkNumber:15',
  opaqueData: 'dataDescriptor! dataValue!',
  createTransactionRequest: 'transactionRequest!=transactionRequest',
  transactionRequest:
    'transactionType! amount currencyCode payment=payment profile=chargeProfile solution callId terminalNumber authCode refTransId splitTenderId order=order lineItems tax duty shipping taxExempt poNumber:25 customer=customer billTo=address shipTo=address customerIP:15 cardholderAuthentication retail employeeId transactionSettings=settings userFields surcharge merchantDescriptor subMerchant tip processingOptions=processing subsequentAuthInformation=subsequentAuth otherTax shipFrom authorizationIndicatorType',
  chargeProfile: 'createProfile customerProfileId paymentProfile=chargePaymentProfile shippingProfileId',
  chargePaymentProfile: 'paymentProfileId! cardCode:3-4',
  order: 'invoiceNumber:20 description:255',
  customer: 'type id:20 email:255',
  settings: 'setting*=setting',
  setting: 'settingName settingValue',
  processing: 'isFirstRecurringPayment isFirstSubsequentAuth isSubsequentAuth isStoredCredentials',
  subsequentAuth: 'originalNetworkTransId originalAuthAmount reason',
  updateHeldTransactionRequest: 'heldTransactionRequest!=held',
  held: 'action! refTransId!',
  getTransactionDetailsRequest: 'transId!',
  getUnsettledTransactionListRequest: 'status sorting=sorting paging=paging',
  getTransactionListRequest: 'batchId sorting=sorting paging=paging',
  getSettledBatchListRequest: 'includeStatistics firstSettlementDate lastSettlementDate',
  sorting: 'orderBy! orderDescending!',
  paging: 'limit! offset!',
  securePaymentContainerRequest: 'data!=token',
  token: 'type id token=tokenCard bankToken=tokenBank',
  tokenCard: 'cardNumber!:4-16 expirationDate!:4-7 cardCode:3-4 zip:20 fullName:64',
  tokenBank: 'accountNumber!:17 routingNumber!:9 nameOnAccount!:22 accountType',
};

const namespace = 'AnetApi/xml/v1/schema/AnetApiSchema.xsd';

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly min: number;
  readonly max: number;
  readonly type: string | undefined;
}

function membersOf(type: string): readonly Member[] {
  const text = types[type] ?? '';
  return text
    .replace('|', '')
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [, name = '', mark, low, high, inside] =
        /^(\w+)([!*]*)(?::(?:(\d+)-)?(\d+))?(?:=(\w+))?$/.exec(word) ?? [];
      return {
        name,
        isRequired: mark?.includes('!') === true,
        isList: mark?.includes('*') === true,
        min: Number(low ?? 0),
        max: Number(high ?? 100_000),
        type: inside,
      };
    });
}

/** Methods this sandbox knows, by their root keys. */
export const isKnownRoot = (root: string): boolean =>
  root.endsWith('Request') && root in types && root !== 'transactionRequest';

/**
 * What is wrong with a document, in the service's words; undefined when nothing is. Names, their order and lengths are checked, and
 * that a choice has one member.
 */
export function schemaFault(root: string, value: unknown): string | undefined {
  const own = membersOf(root);
  const first: Member[] = ['merchantAuthentication', 'clientId', 'refId'].map((name) => ({
    name,
    isRequired: name === 'merchantAuthentication',
    isList: false,
    min: 0,
    max: name === 'refId' ? 20 : 30,
    type: name === 'merchantAuthentication' ? name : undefined,
  }));
  return faultIn(root, [...first, ...own], false, value);
}

function faultIn(
  element: string,
  members: readonly Member[],
  isChoice: boolean,
  value: unknown,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `The element '${element}' in namespace '${namespace}' cannot contain text.`;
  const entries = Object.entries(value);
  let at = 0;
  for (const [name, inner] of entries) {
    const place = members.findIndex((member, index) => index >= at && member.name === name);
    const member = members[place];
    if (member === undefined || (isChoice && entries.length > 1))
      return `The element '${element}' in namespace '${namespace}' has invalid child element '${name}' in namespace '${namespace}'. List of possible elements expected: '${members
        .slice(at)
        .map((expected) => expected.name)
        .join(', ')}' in namespace '${namespace}'.`;
    const missing = members.slice(at, place).find(({ isRequired }) => isRequired);
    if (missing !== undefined) return incomplete(element, missing);
    at = place + 1;
    const fault = memberFault(member, inner);
    if (fault !== undefined) return fault;
  }
  const missing = members.slice(at).find(({ isRequired }) => isRequired);
  return missing === undefined ? undefined : incomplete(element, missing);
}

const incomplete = (element: string, { name }: Member): string =>
  `The element '${element}' in namespace '${namespace}' has incomplete content. List of possible elements expected: '${name}' in namespace '${namespace}'.`;

function memberFault({ name, isList, min, max, type }: Member, value: unknown): string | undefined {
  if (type !== undefined) {
    const isChoice = types[type]?.startsWith('|') === true;
    for (const one of isList && Array.isArray(value) ? value : [value]) {
      const fault = faultIn(name, membersOf(type), isChoice, one);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (typeof value === 'object') return undefined;
  const text = String(value);
  if (text.length >= min && text.length <= max) return undefined;
  const bound = text.length > max ? 'greater than the MaxLength' : 'less than the MinLength';
  return `The '${namespace}:${name}' element is invalid - The value '${text}' is invalid according to its datatype 'String' - The actual length is ${bound} value.`;
}

// ---- Test data ----

const brands: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'Visa'],
  [/^(5[1-5]|2[2-7])/, 'MasterCard'],
  [/^3[47]/, 'AmericanExpress'],
  [/^35|^3088/, 'JCB'],
  [/^3[068]/, 'DinersClub'],
  [/^6/, 'Discover'],
];
export const brandOf = (number: string): string =>
  brands.find(([pattern]) => pattern.test(number))?.[1] ?? 'Visa';

/** A card whose amounts order a reason code (252.00: held for review): as in the service's older test mode. */
export const codeCard = '4222222222222';

/** What the zip of the billing address orders. */
export const avsByZip: Readonly<Record<string, string>> = {
  46201: 'A',
  46203: 'E',
  46204: 'G',
  46205: 'N',
  46206: 'P',
  46207: 'R',
  46208: 'S',
  46209: 'U',
  46211: 'W',
  46214: 'X',
  46217: 'Z',
};
export const declinedZip = '46282';
/** Of what is asked, this much is approved where the request allows it. */
export const partialZip = '46225';
export const partialMinor = 123;
/** What the security code orders. */
export const cvvByCode: Readonly<Record<string, string>> = {
  900: 'M',
  901: 'N',
  902: 'S',
  903: 'U',
  904: 'P',
};

/** Debits up to this are accepted, minor units; in sum a month to the second. */
export const mostDebit = 10_000;
export const mostDebitsOfMonth = 500_000;
/** Accounts whose bank returns each debit, with its code: the service's sandbox has none. */
export const returnedAccounts: Readonly<Record<string, string>> = {
  900000000101: 'R01',
  900000000203: 'R03',
};
/** Accounts whose debit comes back long after it was settled. */
export const lateAccounts: Readonly<Record<string, string>> = { 900000000310: 'R10' };

/** Reasons of declines; others are errors of processing. */
export const declineReasons = new Set([2, 3, 4, 27, 44, 45, 65, 127, 250, 251, 254]);
export const reviewReasons = new Set([193, 252, 253]);

export const words: Readonly<Record<number, string>> = {
  1: 'This transaction has been approved.',
  2: 'This transaction has been declined.',
  5: 'A valid amount is required.',
  6: 'The credit card number is invalid.',
  7: 'Credit card expiration date is invalid.',
  8: 'The credit card has expired.',
  9: 'The ABA code is invalid',
  11: 'A duplicate transaction has been submitted.',
  16: 'The transaction cannot be found.',
  39: 'The supplied currency code is either invalid, not supported, not allowed for this merchant or doesnt have an exchange rate',
  54: 'The referenced transaction does not meet the criteria for issuing a credit.',
  55: 'The sum of credits against the referenced transaction would exceed original debit amount.',
  252: 'Your order has been received. Thank you for your business!',
  295: 'The amount of this request was only partially approved on the given prepaid card.',
  310: 'This transaction has already been voided.',
};
