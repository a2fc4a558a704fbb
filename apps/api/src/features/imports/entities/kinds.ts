import type { EntityName } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { column, type EntityColumn, type EntityKind, kind } from './kind.ts';

/** What files of each kind are made of: templates, guesses, mappings and the reading of rows derive from it. */

export type { EntityColumn, EntityKind } from './kind.ts';

const customerNumber =
  'customer number, customer no, customer id, customer code, customer reference, client number, client id, client code, ' +
  'Kundennummer, Kunden-Nr, Kd-Nr, Kundennr, Debitor, Debitorennummer, Debitorennr';
const customer = column(
  'customer',
  'text',
  'C-1001',
  `${customerNumber}, customer, client, contact name, customer name, client name, Kunde, Kundenname, account number, account no`,
);
const own = (example: string, alsoCalled: string) =>
  column('reference', 'text', example, `${alsoCalled}, external id, ref, number, no, Nummer, Nr, id, code`);
const currency = column('currency', 'code', 'NZD', 'currency code, currency iso, Währung, Waehrung, WKZ');
const note = (example: string) =>
  column('note', 'text', example, 'notes, remark, comment, memo, Bemerkung, Notiz, Text');
const day = (name: string, example: string, alsoCalled: string) => column(name, 'date', example, alsoCalled);

const invoiceColumns = (number: string, others: readonly EntityColumn[]): readonly EntityColumn[] => [
  column(
    'reference',
    'text',
    number,
    'invoice number, invoice no, invoice id, credit note number, document number, doc number, bill number, number, ' +
      'Rechnungsnummer, Rechnungs-Nr, Rechnungsnr, Rg-Nr, Belegnummer, Beleg-Nr, Gutschriftsnummer, Nummer',
  ),
  customer,
  day(
    'issuedOn',
    '2026-03-01',
    'invoice date, date, issue date, issued, issued on, document date, credit note date, Rechnungsdatum, Belegdatum, Datum',
  ),
  ...others,
  currency,
  day('periodFrom', '2026-02-01', 'period start, period from, service from, Leistung von, Zeitraum von'),
  day('periodTo', '2026-02-28', 'period end, period to, service to, Leistung bis, Zeitraum bis'),
  column('agreement', 'text', '', 'contract, contract number, Vertrag, Vertragsnummer'),
  column(
    'lines.name',
    'text',
    'Fibre 300',
    'description, item description, item, item name, product, line description, Beschreibung, Artikel, Bezeichnung, Position',
  ),
  column(
    'lines.label',
    'text',
    'Internet',
    'product type, category, item code, inventory item code, Item(Product/Service), Kategorie, Artikelgruppe',
  ),
  column('lines.serviceItem', 'text', '', 'service item, line, service number, Anschluss, Rufnummer'),
  column('lines.costCentre', 'text', '', 'cost centre, cost center, Kostenstelle'),
  column('lines.quantity', 'number', '1', 'quantity, qty, item quantity, Menge, Anzahl'),
  column(
    'lines.price',
    'number',
    '100.00',
    'price, unit price, unit amount, rate, item rate, Einzelpreis, Preis',
    {
      isDerived: true,
    },
  ),
  column(
    'lines.amount',
    'money',
    '100.00',
    'amount, line amount, item amount, line total, net amount, Betrag, Nettobetrag, Gesamtpreis',
    {
      isDerived: true,
    },
  ),
  column('lines.discount', 'number', '', 'discount, discount percent, Rabatt', {
    meaning: 'Percent that is taken off the line.',
  }),
  column('lines.taxCategory', 'text', 'S', 'tax category, tax code'),
  column(
    'lines.taxPercent',
    'number',
    '15',
    'tax rate, tax percent, vat rate, vat percent, gst rate, Steuersatz, MwSt-Satz, USt-Satz',
  ),
  column(
    'lines.tax',
    'money',
    '15.00',
    'tax amount, line tax, item tax amount, vat amount, gst amount, Steuerbetrag, MwSt-Betrag',
    {
      meaning: 'The tax of the line; the invoice’s tax is made of them where it is not given.',
    },
  ),
  column('subtotal', 'money', '', 'sub total, net total, Zwischensumme, Nettosumme, Summe netto', {
    isDerived: true,
  }),
  column('tax', 'money', '', 'total tax, tax total, vat, gst, MwSt, USt, Steuer'),
  column(
    'total',
    'money',
    '',
    'invoice total, total amount, gross, gross amount, Gesamtbetrag, Bruttobetrag, Summe brutto, Rechnungsbetrag',
    {
      isDerived: true,
    },
  ),
  column('rounding', 'money', '', 'Rundung'),
  column('prepaid', 'money', '', 'deposit, Anzahlung'),
  column('payable', 'money', '', 'amount due, due amount, balance due, Zahlbetrag', { isDerived: true }),
  column('note', 'text', '', 'notes, memo, message, Bemerkung'),
  column('paymentTerms', 'text', '', 'terms, payment terms, Zahlungsbedingungen, Zahlungsziel'),
  column('buyerReference', 'text', '', 'your reference, reference, Ihr Zeichen'),
  column(
    'orderReference',
    'text',
    '',
    'order number, purchase order, po number, Bestellnummer, Auftragsnummer',
  ),
];

const dueOn = day(
  'dueOn',
  '2026-03-15',
  'due date, due, payment due, Fälligkeit, Fälligkeitsdatum, fällig am, Zahlbar bis',
);

const kinds: readonly EntityKind[] = [
  kind('customers', 'Customers', [
    own('C-1001', `${customerNumber}, account number, account no`),
    column(
      'label',
      'text',
      'Harbour Office',
      'name, customer name, customer, company, company name, client, client name, display name, Firma, Firmenname, Kunde, Kundenname, Name 1',
    ),
    column(
      'email',
      'text',
      'bills@harbour.example',
      'e-mail, mail, email address, mail address, billing email, E-Mail-Adresse, Rechnungs-E-Mail',
    ),
    column(
      'address.lines',
      'list',
      '1 Quay Street',
      'street, address, address line 1, address 1, street address, Straße, Anschrift, Adresse, Straße und Hausnummer',
    ),
    column('address.postalCode', 'text', '1010', 'postal code, postcode, zip, zip code, PLZ, Postleitzahl'),
    column('address.city', 'text', 'Auckland', 'city, town, suburb, Ort, Stadt, Wohnort'),
    column('address.region', 'text', '', 'region, state, province, county, Bundesland, Kanton'),
    column('country', 'code', 'NZ', 'country code, Land, Ländercode, Länderkennzeichen'),
    column('brandId', 'number', '', 'brand, brand id, Marke'),
  ]),
  kind(
    'users',
    'Users of customers',
    [
      column(
        'email',
        'text',
        'mia@harbour.example',
        'e-mail, mail, email address, mail address, login, user name, E-Mail-Adresse, Benutzername',
      ),
      customer,
      column(
        'displayName',
        'text',
        'Mia Harbour',
        'name, full name, display name, user, contact, contact name, Anzeigename, Benutzer, Ansprechpartner',
      ),
      column('invite', 'flag', 'false', 'send invitation, invitation, Einladung'),
    ],
    { key: 'email' },
  ),
  kind('services', 'Services', [
    own('voice', 'service, service code, product code, Dienst, Dienstcode'),
    column('name', 'text', 'Voice', 'service name, title, description, Bezeichnung'),
    column('serviceItemLabel', 'text', 'Number', 'item label'),
    column('serviceItem2Label', 'text', 'Called', ''),
    column('serviceItem3Label', 'text', '', ''),
    column('unitsLabel', 'text', 'Seconds', 'units label, unit'),
    column('recordTypeLabel', 'text', 'Kind of call', ''),
  ]),
  kind('agreements', 'Agreements', [
    own(
      'A-1',
      'agreement, agreement number, agreement no, contract, contract number, contract no, Vertrag, Vertragsnummer, Vertrags-Nr',
    ),
    customer,
    column(
      'name',
      'text',
      'Business voice',
      'agreement name, contract name, title, description, Bezeichnung, Vertragsname',
    ),
    day(
      'startedOn',
      '2025-01-01',
      'start date, started, start, begin, contract start, Beginn, Vertragsbeginn, Startdatum',
    ),
  ]),
  kind('billing-periods', 'Billing periods', [
    own('A-1-2026-03', 'period, period id, billing period, Abrechnungszeitraum'),
    customer,
    column(
      'agreement',
      'text',
      'A-1',
      'agreement number, contract, contract number, Vertrag, Vertragsnummer',
    ),
    day('from', '2026-03-01', 'start, start date, period start, first day, von, Beginn'),
    day('to', '2026-03-31', 'end, end date, period end, last day, bis, Ende'),
  ]),
  kind('service-items', 'Service items', [
    own('L-1', 'service item, service item number, item id, line id, asset number, Anschlussnummer'),
    customer,
    column('service', 'text', 'voice', 'service code, product, product code, Dienst'),
    column(
      'name',
      'text',
      '09 555 0100',
      'phone number, number, line, device, service number, msisdn, Rufnummer, Anschluss',
    ),
    column('description', 'text', 'Reception', 'label, user, Beschreibung, Benutzer'),
    column('costCentre', 'text', '', 'cost centre, cost center, Kostenstelle'),
    column('site', 'text', 'Auckland', 'location, office, Standort'),
    column(
      'agreement',
      'text',
      'A-1',
      'agreement number, contract, contract number, Vertrag, Vertragsnummer',
    ),
    column('numbers', 'list', '09 555 0100|6495550100', 'also known as, aliases, Rufnummern'),
  ]),
  kind(
    'bundles',
    'Bundles',
    [
      own('B-1', 'bundle, bundle id, plan, plan id, Paket'),
      customer,
      column('name', 'text', 'Business Connect', 'bundle name, plan name, Paketname, Tarif'),
      column('position', 'number', '', 'order, Reihenfolge'),
      column('usedMonth', 'month', '2026-03', 'month, used month, Monat'),
      column('products.name', 'text', 'Mobile data', 'product, product name, Produkt'),
      column('products.quantity', 'number', '20', 'quantity, included, allowance, Menge, inklusive'),
      column('products.unitLabel', 'text', 'GB', 'unit, unit label, Einheit'),
      column('products.used', 'number', '3.5', 'used, usage, consumed, verbraucht'),
      column('products.serviceItem', 'text', '', 'service item, line, Anschluss'),
      column('products.recordTypes', 'list', '', 'record types'),
      column('products.recordUnits', 'number', '', 'record units'),
    ],
    { rows: 'products' },
  ),
  kind('charges', 'Charges not yet invoiced', [
    own('CH-1', 'charge, charge id, charge number, transaction, transaction id, Buchung, Buchungsnummer'),
    customer,
    column(
      'name',
      'text',
      'Number reservation',
      'product, product name, description, item, Artikel, Bezeichnung',
    ),
    column('label', 'text', 'One-off', 'product type, category, type, Kategorie'),
    column('description', 'text', '', 'details, long description, Beschreibung'),
    column('service', 'text', '', 'service code, Dienst'),
    column('serviceItem', 'text', '09 555 0100', 'service item, line, phone number, Rufnummer, Anschluss'),
    column('agreement', 'text', '', 'contract, contract number, Vertrag, Vertragsnummer'),
    column('site', 'text', '', 'location, Standort'),
    column('costCentre', 'text', '', 'cost centre, cost center, Kostenstelle'),
    day('from', '2026-03-01', 'date, start, start date, period start, von, Datum'),
    day('to', '2026-03-31', 'end, end date, period end, bis'),
    column('quantity', 'number', '2', 'qty, Menge, Anzahl'),
    column('unit', 'text', '', 'unit code, Einheit'),
    column('price', 'number', '5', 'unit price, rate, Einzelpreis, Preis'),
    currency,
    column('amount', 'money', '10.00', 'total, net amount, Betrag, Nettobetrag'),
    column('tax', 'money', '1.50', 'tax amount, vat, gst, Steuer, MwSt'),
    column('extra', 'list', '', 'extra columns'),
  ]),
  kind('adjustments', 'Balances and adjustments', [
    own('OB-1001', 'adjustment, adjustment id, adjustment number, Buchungsnummer, Beleg'),
    customer,
    column('kind', 'choice', 'openingBalance', 'type, Art'),
    column('amount', 'money', '125.00', 'balance, opening balance, value, Saldo, Betrag, Anfangssaldo'),
    currency,
    day('bookedOn', '2026-02-28', 'date, booked, booking date, as of, Datum, Buchungsdatum, Stichtag'),
    note('Balance of the former system'),
  ]),
  kind('invoices', 'Invoices with lines', invoiceColumns('INV-1001', [dueOn]), {
    rows: 'lines',
    fixed: { kind: 'invoice' },
  }),
  kind(
    'credit-notes',
    'Credit notes with lines',
    invoiceColumns('CN-1001', [
      column('credits', 'list', 'INV-1001', 'credited invoice, invoice, original invoice, zu Rechnung'),
    ]),
    { bulk: 'invoices', rows: 'lines', fixed: { kind: 'creditNote' } },
  ),
  kind('external-payments', 'Payments made elsewhere', [
    own(
      'STMT-77-3',
      'payment, payment id, payment number, payment reference, transaction id, receipt number, Zahlung, Zahlungsnummer',
    ),
    customer,
    column('amount', 'money', '50.00', 'paid, payment amount, received, Betrag, Zahlbetrag'),
    currency,
    day(
      'receivedOn',
      '2026-03-14',
      'date, payment date, received, received on, paid on, Datum, Zahlungsdatum, Eingang',
    ),
    column('method', 'choice', 'bankTransfer', 'payment method, type, Zahlungsart, Zahlweise'),
    column('invoices', 'list', '', 'invoice, invoice number, invoice numbers, Rechnung, Rechnungsnummer'),
    note(''),
  ]),
];

const byName: ReadonlyMap<string, EntityKind> = new Map(kinds.map((one) => [one.name, one]));

/** All kinds, in the order in which one needs the other. */
export const entityKinds = kinds;

export const entityKind = (name: EntityName): EntityKind => {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`there are no columns of ${name}`);
  return found;
};
