import { brandSettingsToSet, DEFAULT_COLOURS, storedBrandSettings } from '@counterfoil/contract/brand.ts';
import { isMailKind, MAIL_PLACEHOLDERS, unknownPlaceholders } from '@counterfoil/contract/mail-texts.ts';
import { isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import { parseColour } from '@counterfoil/domain/text/colour.ts';
import { isTimeZone } from '@counterfoil/domain/time/dates.ts';
import * as z from 'zod/mini';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { checkedHost, checkedName, checkedNumber, requireReseller } from './checks.ts';
import { AdminRefused } from './refused.ts';
import type { Added } from './resellers.ts';
import { applySettings, withoutDefaults } from './settings-input.ts';

/** What may be said of a brand; what is left out stays, or takes its default in a new one. */
export interface BrandChange {
  /** The provider's own name of it; '' takes it away. */
  readonly reference?: string | undefined;
  readonly name?: string | undefined;
  readonly companyName?: string | undefined;
  /** Seven, in their order. */
  readonly colours?: readonly string[] | undefined;
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
  /** `name=value` */
  readonly settings?: readonly string[] | undefined;
}

export interface NewBrand extends BrandChange {
  /** Absent: the next free one. */
  readonly id?: number | undefined;
  readonly resellerId: number;
  readonly name: string;
}

export interface BrandValues {
  readonly reference: string | null;
  readonly name: string;
  readonly company_name: string;
  readonly colours: readonly string[];
  readonly currency: string;
  readonly time_zone: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

type StoredBrand = BrandValues & { readonly id: number; readonly reseller_id: number | null };

/**
 * Gives a reseller a brand. One of the same name that already is as asked for stays as it is.
 * @throws {AdminRefused} for an unknown reseller, a bad colour, currency, time zone or setting, a taken id
 */
export async function addBrand(tx: Tx, wanted: NewBrand): Promise<{ id: number; added: Added }> {
  await requireReseller(tx, wanted.resellerId);
  // Two of the same name made at the same time are one.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('counterfoil brand'))`);
  const known = await tx.maybeOne<StoredBrand>(sql`
    ${brandRow} where reseller_id = ${wanted.resellerId} and name = ${wanted.name.trim()} order by id limit 1`);
  if (known !== undefined && (wanted.id === undefined || wanted.id === known.id)) {
    const same = JSON.stringify(valuesOf(known)) === JSON.stringify(changed(valuesOf(known), wanted));
    if (same) return { id: known.id, added: 'unchanged' };
    throw new AdminRefused(
      `reseller ${wanted.resellerId} has a brand '${known.name}' already; 'brand set --id ${known.id}' changes it`,
    );
  }
  const name = checkedName('name', wanted.name);
  const values = changed(
    {
      reference: null,
      name,
      company_name: name,
      colours: DEFAULT_COLOURS,
      currency: 'USD',
      time_zone: 'UTC',
      settings: {},
    },
    wanted,
  );
  const id = wanted.id === undefined ? await nextBrandId(tx) : checkedNumber('brand’s id', wanted.id);
  const made = await tx.execute(sql`
    insert into brand (id, reseller_id, reference, name, company_name, colours, settings, time_zone, currency)
    values (${id}, ${wanted.resellerId}, ${await freeReference(tx, wanted.resellerId, values.reference)}, ${values.name}, ${values.company_name}, ${[...values.colours]},
            ${JSON.stringify(values.settings)}, ${values.time_zone}, ${values.currency})
    on conflict do nothing`);
  if (made === 0) throw new AdminRefused(`brand ${id} is there already; 'brand set' changes it`);
  return { id, added: 'created' };
}

/** Changes a brand. @throws {AdminRefused} */
export async function setBrand(tx: Tx, id: number, change: BrandChange): Promise<void> {
  const known = await tx.maybeOne<StoredBrand>(sql`${brandRow} where id = ${id} for update`);
  if (known === undefined || known.reseller_id === null) throw new AdminRefused(`there is no brand ${id}`);
  const values = changed(valuesOf(known), change);
  if (values.reference !== known.reference) await freeReference(tx, known.reseller_id, values.reference);
  await tx.execute(sql`
    update brand set reference = ${values.reference}, name = ${values.name}, company_name = ${values.company_name}, colours = ${[...values.colours]},
           settings = ${JSON.stringify(values.settings)}, time_zone = ${values.time_zone}, currency = ${values.currency}
     where id = ${id}`);
}

/**
 * Values of a brand as they are stored: what has its default is left out of the settings, so that a default that changes later
 * counts for it too.
 * @throws {AdminRefused} for a bad colour, currency, time zone or text of a mail
 */
export const checkedBrand = (values: BrandValuesToSet): Omit<BrandValues, 'reference'> => {
  const currency = checkedCurrency(values.currency);
  return {
    name: checkedName('name', values.name),
    company_name: checkedName('company name', values.companyName),
    colours: checkedColours(values.colours),
    currency,
    time_zone: checkedTimeZone(values.timeZone),
    settings: checkedSettings(withSymbol(withoutDefaults(brandSettingsToSet, values.settings), currency)),
  };
};

/** How a currency is shown where nothing is said. */
const symbolOf = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/**
 * Where no symbol is said, that of the currency: the default would show euros as dollars. One that is said stays, '$' for
 * euros too; what comes to the default by itself is left out.
 */
function withSymbol({ currencySymbol, ...settings }: Settings, currency: string): Settings {
  const own = symbolOf(currency);
  const symbol = currencySymbol ?? own;
  return symbol === own && own === DEFAULT_SYMBOL ? settings : { ...settings, currencySymbol: symbol };
}

/** Settings for another currency: a symbol that was that of the currency before goes with it. */
function withoutSymbolOf(currency: string, { currencySymbol, ...settings }: Settings): Settings {
  return currencySymbol === undefined || currencySymbol === symbolOf(currency)
    ? settings
    : { ...settings, currencySymbol };
}

/** What a brand is set to as a whole. */
interface BrandValuesToSet {
  readonly name: string;
  readonly companyName: string;
  readonly colours: readonly string[];
  readonly currency: string;
  readonly timeZone: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

const DEFAULT_SYMBOL = '$';

type Settings = Readonly<Record<string, unknown>>;

const brandRow = sql`
  select id, reseller_id, reference, name, company_name, colours, settings, time_zone, currency from brand`;

/** @throws {AdminRefused} where another brand of the reseller has it */
async function freeReference(tx: Tx, resellerId: number, reference: string | null): Promise<string | null> {
  const other = await tx.maybeOne<{ id: number }>(sql`
    select id from brand where reseller_id = ${resellerId} and reference = ${reference}`);
  if (other !== undefined) throw new AdminRefused(`brand ${other.id} has the reference '${reference}'`);
  return reference;
}

const valuesOf = (row: StoredBrand): BrandValues => ({
  reference: row.reference,
  name: row.name,
  company_name: row.company_name,
  colours: row.colours,
  currency: row.currency,
  time_zone: row.time_zone,
  settings: row.settings,
});

function changed(before: BrandValues, change: BrandChange): BrandValues {
  const { companyName, colours, timeZone } = change;
  const currency = change.currency === undefined ? before.currency : checkedCurrency(change.currency);
  const kept =
    currency === before.currency ? before.settings : withoutSymbolOf(before.currency, before.settings);
  const settings = applySettings(brandSettingsToSet, kept, change.settings ?? []);
  return {
    reference: change.reference === undefined ? before.reference : referenceOf(change.reference),
    name: change.name === undefined ? before.name : checkedName('name', change.name),
    company_name: companyName === undefined ? before.company_name : checkedName('company name', companyName),
    colours: colours === undefined ? before.colours : checkedColours(colours),
    currency,
    time_zone: timeZone === undefined ? before.time_zone : checkedTimeZone(timeZone),
    settings: checkedSettings(withSymbol(settings, currency)),
  };
}

const referenceOf = (text: string): string | null =>
  text.trim() === '' ? null : checkedName('reference', text);

/** A brace in a mail's text that no value stands for would reach every customer. */
function checkedSettings(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { mailTexts: texts } = storedBrandSettings.parse(settings);
  for (const kind of Object.keys(texts).filter(isMailKind)) {
    const [unknown] = Object.values(texts[kind] ?? {}).flatMap((text = '') =>
      unknownPlaceholders(kind, text),
    );
    if (unknown === undefined) continue;
    const known = MAIL_PLACEHOLDERS[kind].map((name) => `{${name}}`).join(', ');
    throw new AdminRefused(`the texts of the mail '${kind}' have no {${unknown}}; they may have ${known}`);
  }
  return settings;
}

function checkedColours(colours: readonly string[]): readonly string[] {
  if (colours.length !== DEFAULT_COLOURS.length) {
    throw new AdminRefused(`a brand has seven colours, not ${colours.length}`);
  }
  return colours.map((text, at) => {
    const colour = parseColour(text.trim());
    if (colour === null)
      throw new AdminRefused(`colour ${at + 1} is '${text}', which is no colour such as #3598db`);
    return colour;
  });
}

function checkedCurrency(text: string): string {
  const code = text.trim().toUpperCase();
  if (isCurrencyCode(code)) return code;
  throw new AdminRefused(`'${text}' is no currency code in use, such as EUR`);
}

function checkedTimeZone(text: string): string {
  const zone = text.trim();
  if (isTimeZone(zone)) return zone;
  throw new AdminRefused(`'${text}' is no time zone such as Europe/Berlin`);
}

type Listed = Awaited<ReturnType<typeof listBrands>>[number];

/** What of a stored brand would break its mails or pages, or be refused if it were set now; one clause each. */
export function brandFaults(brand: Listed): readonly string[] {
  const parsed = z.safeParse(brandSettingsToSet, brand.settings);
  const settings = parsed.success
    ? []
    : parsed.error.issues.map(({ path: [name], message }) => `setting ${String(name)} ${message}`);
  const checks = [
    () => checkedName('name', brand.name),
    () => checkedName('company name', brand.company_name),
    () => checkedColours(brand.colours),
    () => checkedCurrency(brand.currency),
    () => checkedTimeZone(brand.time_zone),
    ...(parsed.success ? [() => checkedSettings(brand.settings)] : []),
    ...brand.hosts.map((host) => () => checkedHost(host)),
  ];
  return [...settings, ...checks.flatMap(refusalOf)];
}

function refusalOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AdminRefused) return [error.message];
    throw error;
  }
}

/** The number of the next brand; two that are made at the same time take different ones. */
export async function nextBrandId(tx: Tx): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('counterfoil brand'))`);
  const row = await tx.one<{ id: number }>(sql`select max(id) + 1 as id from brand`);
  return row.id;
}

/** Brands of one reseller or of all, with their hosts (the main one first) and images. */
export const listBrands = (db: Db, resellerId?: number) =>
  db.many<{
    id: number;
    reseller_id: number;
    name: string;
    company_name: string;
    currency: string;
    time_zone: string;
    colours: string[];
    settings: Record<string, unknown>;
    hosts: string[];
    images: string[];
  }>(sql`
    select b.id, b.reseller_id, b.name, b.company_name, b.currency, b.time_zone, b.colours, b.settings,
           array(select h.host from brand_host h where h.brand_id = b.id order by h.is_main desc, h.host) as hosts,
           array(select i.kind from brand_image i where i.brand_id = b.id order by i.kind) as images
      from brand b
     where b.reseller_id is not null and (${resellerId ?? null}::int is null or b.reseller_id = ${resellerId ?? null})
     order by b.reseller_id, b.id`);
