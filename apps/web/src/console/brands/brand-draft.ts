import type { AdminBrand, BrandValues } from '@counterfoil/contract/operator/running/admin-brands.ts';

/** What can be changed of a brand, by name: its own values, `colours.0` to `colours.6`, and its settings as `settings.<name>`. */
export type BrandFields = Readonly<Record<string, unknown>>;

/** What was changed and is not published: new values by name. */
export type BrandDraft = BrandFields;

/** The fields of a brand as it is published. */
export const fieldsOf = (brand: AdminBrand): BrandFields =>
  Object.fromEntries([
    ...(['name', 'companyName', 'currency', 'timeZone', 'hosts'] as const).map((name) => [name, brand[name]]),
    ...brand.colours.map((colour, at) => [`colours.${at}`, colour]),
    ...Object.entries(brand.settings).map(([name, value]) => [`settings.${name}`, value]),
  ]);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The draft with one more change; a value that is as published is none. */
export function changed(published: BrandFields, draft: BrandDraft, name: string, value: unknown): BrandDraft {
  const { [name]: _before, ...rest } = draft;
  return isSame(published[name], value) ? rest : { ...rest, [name]: value };
}

/** What of a draft still differs from what is published now, perhaps by somebody else. */
export const stillChanged = (published: BrandFields, draft: BrandDraft): BrandDraft =>
  Object.fromEntries(Object.entries(draft).filter(([name, value]) => !isSame(published[name], value)));

/** Everything as it would be published. */
export function valuesOf(published: BrandFields, draft: BrandDraft): BrandValues {
  const fields = { ...published, ...draft };
  const below = (group: string): readonly (readonly [string, unknown])[] =>
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(`${group}.`) ? [[name.slice(group.length + 1), value] as const] : [],
    );
  const { name, companyName, currency, timeZone, hosts } = fields;
  return {
    name,
    companyName,
    currency,
    timeZone,
    hosts: (hosts as readonly string[]).map((host) => host.trim()).filter(Boolean),
    colours: below('colours').map(([, colour]) => colour),
    settings: Object.fromEntries(below('settings')),
  } as BrandValues;
}

const storedAs = (id: number): string => `counterfoil.console.brand.${id}`;

/** What was changed in this tab before and not published. */
export function storedDraft(id: number): BrandDraft {
  try {
    const draft: unknown = JSON.parse(globalThis.sessionStorage.getItem(storedAs(id)) ?? '{}');
    return typeof draft === 'object' && draft !== null ? (draft as BrandDraft) : {};
  } catch {
    return {};
  }
}

export function storeDraft(id: number, draft: BrandDraft): void {
  if (Object.keys(draft).length === 0) globalThis.sessionStorage.removeItem(storedAs(id));
  else globalThis.sessionStorage.setItem(storedAs(id), JSON.stringify(draft));
}
