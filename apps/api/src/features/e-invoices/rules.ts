import { powerOfTen } from '@counterfoil/domain/money/integer.ts';
import { currencyExponent, formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { countriesWithOwnRules, isCountry, isIsoScheme, taxCategories, unitCodes } from './codes.ts';
import { faultOfEndpoint } from './endpoint.ts';
import { percentOf, totalIn } from './line-total.ts';
import type { EInvoice, ELine, EParty, ETax } from './model.ts';

/** A rule that an invoice of ours breaks. */
export interface Finding {
  /** Its name in the published rules. */
  readonly rule: string;
  /** `peppol`: only UBL needs it, as Peppol asks for it; `facturX`: only Factur-X does. */
  readonly of: 'en16931' | 'peppol' | 'facturX';
  /** What is missing or wrong, and where it is set. */
  readonly text: string;
}

type Say = (rule: string, text: string) => void;

/**
 * Checks an e-invoice against those rules of EN 16931 and Peppol BIS Billing 3 that what is composed here can break. The
 * published rules have more; tests run all of them over what passes here.
 * @returns what is broken, in the order of the document; empty: it may be handed out
 */
export function checkEInvoice(invoice: EInvoice): readonly Finding[] {
  const found: Finding[] = [];
  const say =
    (of: Finding['of']): Say =>
    (rule, text) => {
      found.push({ rule, of, text });
    };
  const [en, peppol] = [say('en16931'), say('peppol')];
  checkHead(invoice, en);
  checkParty(invoice.seller, 'seller', en);
  checkParty(invoice.buyer, 'buyer', en);
  checkTaxRules(invoice, en);
  for (const line of invoice.lines) checkLine(line, en);
  checkSums(invoice, en);
  checkPeppol(invoice, peppol);
  return found;
}

/** What of it is about single lines. */
export function checkLines({ lines, currency }: Pick<EInvoice, 'lines' | 'currency'>): readonly Finding[] {
  const found: Finding[] = [];
  for (const line of lines) {
    checkLine(line, (rule, text) => found.push({ rule, of: 'en16931', text }));
    checkAmount(line, currency, (rule, text) => found.push({ rule, of: 'peppol', text }));
  }
  return found;
}

function checkHead(
  { currency, totals, dueOn, paymentTerms, lines, taxes, payment }: EInvoice,
  say: Say,
): void {
  if (currencyExponent(currency) > 2)
    say('BR-DEC-12', `Amounts in ${currency} have more than two decimals, which no e-invoice may have`);
  if (totals.payableMinor > 0n && dueOn === null && paymentTerms === null)
    say('BR-CO-25', 'Neither a due date nor payment terms are stated');
  if (lines.length === 0) say('BR-16', 'There are no lines');
  if (taxes.length === 0) say('BR-CO-18', 'There is no breakdown of the tax');
  if (payment !== null && !/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(payment.iban))
    say('BR-50', `'${payment.iban}' is no IBAN (brand setting eInvoice.iban)`);
}

const places = {
  seller: 'brand setting eInvoice',
  buyer: 'the customer, or what the invoice states of the buyer',
} as const;

function checkParty(party: EParty, role: 'seller' | 'buyer', say: Say): void {
  const isSeller = role === 'seller';
  const place = places[role];
  if (party.name === '') say(isSeller ? 'BR-06' : 'BR-07', `The ${role} has no name (${place})`);
  if (party.country === '') say(isSeller ? 'BR-09' : 'BR-11', `The ${role} has no country (${place})`);
  else if (!isCountry(party.country))
    say('BR-CL-14', `'${party.country}' is no country code of ISO 3166-1 (${place})`);
  if (isSeller && party.identifier === null && party.legalId === null && party.vatId === null)
    say('BR-CO-26', `The seller has neither a VAT number nor another one (${place})`);
  if (party.vatId !== null && !isCountry(vatCountry(party.vatId)))
    say(
      'BR-CO-09',
      `The ${role}'s VAT number '${party.vatId}' does not begin with a country code (${place})`,
    );
  if (party.legalId !== null && party.legalId.scheme !== '' && !isIsoScheme(party.legalId.scheme))
    say('BR-CL-11', `'${party.legalId.scheme}' is no code of ISO 6523 (${place})`);
  if (party.endpoint !== null && party.endpoint.scheme === '')
    say(isSeller ? 'BR-62' : 'BR-63', `The ${role}'s electronic address has no scheme (${place})`);
}

/** Greece writes EL, and Northern Ireland XI. */
const vatCountry = (vatId: string): string => {
  const code = vatId.slice(0, 2);
  return code === 'EL' ? 'GR' : code === 'XI' ? 'GB' : code;
};

const UNTAXED: Readonly<Record<string, string>> = { Z: 'Z', E: 'E', AE: 'AE', K: 'IC', G: 'G', O: 'O' };

function checkTaxRules({ taxes, seller, buyer, totals, currency }: EInvoice, say: Say): void {
  for (const tax of taxes) checkTax(tax, powerOfTen(currencyExponent(currency)), say);
  const has = (category: string): boolean => taxes.some((tax) => tax.category === category);
  const isTaxed = taxes.some(({ category }) => category !== 'O');
  if (isTaxed && seller.vatId === null)
    say('BR-S-02', 'The seller has no VAT number (brand setting eInvoice.vatId)');
  if (has('O') && isTaxed) say('BR-O-11', 'Lines outside of VAT stand beside others');
  if (has('O') && (seller.vatId !== null || buyer.vatId !== null))
    say('BR-O-02', 'Lines are outside of VAT (category O), but seller or buyer has a VAT number');
  if (has('AE') && buyer.vatId === null && buyer.legalId === null)
    say('BR-AE-02', 'Reverse charge needs the buyer’s VAT number or legal id');
  if (has('K'))
    say(
      'BR-IC-11',
      'Intra-Community supply needs a delivery date and country, which invoices here do not have',
    );
  if (has('G') && seller.vatId === null) say('BR-G-02', 'An export needs the seller’s VAT number');
  const sum = taxes.reduce((all, tax) => all + tax.taxMinor, 0n);
  if (sum !== totals.taxMinor)
    say(
      'BR-CO-14',
      `The tax of the lines comes to ${shown(sum, currency)}, the invoice states ${shown(totals.taxMinor, currency)}`,
    );
}

/** @param unit minor units of one of the currency: by less than that may the tax be off, whatever rounding did */
function checkTax(
  { category, percent, taxableMinor, taxMinor, exemptionReason }: ETax,
  unit: bigint,
  say: Say,
): void {
  if (!taxCategories.has(category)) {
    say('BR-CL-17', `'${category}' is no category of tax`);
    return;
  }
  const untaxed = UNTAXED[category];
  if (untaxed === undefined) {
    if (percent === null || percent === '0' || percent.startsWith('-'))
      say('BR-S-05', 'Lines with standard tax have no rate');
  } else if (percent !== null && percent !== '0')
    say(`BR-${untaxed}-05`, `Category ${category} has no tax, but a rate of ${percent} %`);
  if (category === 'E' && exemptionReason === null)
    say('BR-E-10', 'Exempt lines need a reason (brand setting eInvoice.exemptionReason)');
  const expected = percentOf(taxableMinor, percent ?? '0');
  const off = taxMinor - expected;
  const isOff = untaxed === undefined ? off <= -unit || off >= unit : taxMinor !== 0n;
  if (isOff) say('BR-CO-17', `The tax of category ${category} is not ${percent ?? '0'} % of what it is on`);
}

function checkLine(line: ELine, say: Say): void {
  const { id, name, price, unit, baseQuantity } = line;
  if (name === '') say('BR-25', `Line ${id} has no name`);
  if (price.startsWith('-')) say('BR-27', `The price of line ${id} is below zero`);
  if (!unitCodes.has(unit))
    say('BR-CL-23', `Line ${id}: '${unit}' is no unit of UN/ECE Recommendation 20 that is known here`);
  if (baseQuantity.startsWith('-') || baseQuantity === '0')
    say('PEPPOL-EN16931-R121', `The price of line ${id} is for no quantity`);
  const period = line.period;
  if (period?.from && period.to && period.to < period.from) say('BR-30', `Line ${id} ends before it begins`);
}

function checkSums({ totals, currency, lines, taxes, allowances, period }: EInvoice, say: Say): void {
  const differ = (rule: string, what: string, is: bigint, stated: bigint): void => {
    if (is !== stated)
      say(rule, `${what} comes to ${shown(is, currency)}, the invoice states ${shown(stated, currency)}`);
  };
  const {
    linesMinor,
    allowancesMinor,
    chargesMinor,
    taxExclusiveMinor: net,
    taxInclusiveMinor: gross,
  } = totals;
  differ('BR-CO-13', 'Lines less allowances plus charges', linesMinor - allowancesMinor + chargesMinor, net);
  differ('BR-CO-15', 'Net plus tax', net + totals.taxMinor, gross);
  const due = gross - totals.prepaidMinor + totals.roundingMinor;
  differ('BR-CO-16', 'Gross less prepaid plus rounding', due, totals.payableMinor);
  const taxable = taxes.reduce((all, tax) => all + tax.taxableMinor, 0n);
  differ('BR-S-08', 'What is taxed', taxable, net);
  if (allowances.some(({ amountMinor }) => amountMinor < 0n))
    say('BR-31', 'An allowance or charge on the whole invoice is below zero');
  if (period?.from && period.to && period.to < period.from)
    say('BR-29', 'The billing period ends before it begins');
  if (new Set(lines.map(({ id }) => id)).size < lines.length) say('BR-21', 'Two lines have one number');
}

function checkPeppol(invoice: EInvoice, say: Say): void {
  const { seller, buyer, lines, currency } = invoice;
  if (invoice.buyerReference === null && invoice.orderReference === null)
    say(
      'PEPPOL-EN16931-R003',
      'Neither a buyer reference nor an order is stated, and the customer has no reference',
    );
  checkEndpoint(seller, 'PEPPOL-EN16931-R020', 'seller', 'brand setting eInvoice.endpoint', say);
  checkEndpoint(buyer, 'PEPPOL-EN16931-R010', 'buyer', 'what the customer is known by: endpoint', say);
  for (const line of lines) checkAmount(line, currency, say);
  const own = countriesWithOwnRules.has(seller.country);
  if (own || (seller.country === 'DE' && buyer.country === 'DE'))
    say(
      `${seller.country}-R`,
      `Peppol has rules of its own for sellers in ${seller.country}, which are not checked here and Factur-X does not need`,
    );
}

function checkAmount(line: ELine, currency: EInvoice['currency'], say: Say): void {
  const decimals = currencyExponent(currency);
  // Of three decimals BR-DEC-12 tells.
  if (decimals > 2) return;
  const parts = line.allowances.reduce(
    (all, { isCharge, amountMinor }) => all + (isCharge ? amountMinor : -amountMinor),
    0n,
  );
  // In hundredths, also of a currency without decimals: there a rounded amount is too far off.
  const hundredths = (line.amountMinor - parts) * powerOfTen(2 - decimals);
  const off = hundredths - totalIn(line, 2);
  if (off < -1n || off > 1n)
    say(
      'PEPPOL-EN16931-R120',
      `Line ${line.id}: the amount is not quantity × price to the cent, and the invoice does not say why`,
    );
}

function checkEndpoint(party: EParty, rule: string, role: string, place: string, say: Say): void {
  const { endpoint } = party;
  const fault = endpoint === null ? { rule, text: 'is missing' } : faultOfEndpoint(endpoint);
  if (fault !== null) say(fault.rule, `The ${role}'s electronic address ${fault.text} (${place})`);
}

const shown = (minor: bigint, currency: EInvoice['currency']): string =>
  `${formatDecimal(money(minor, currency))} ${currency}`;
