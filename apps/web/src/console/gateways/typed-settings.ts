import type {
  GatewayAccountDetail,
  GatewaySetting,
  GatewaySettings,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';

/** What stands in the fields, by the names of the settings. A list is typed with commas. */
export type Typed = Readonly<Record<string, string | boolean>>;

type Value = GatewayAccountDetail['settings'][string];
type Known = Pick<GatewayAccountDetail, 'settings'> | undefined;

const textOf = (value: Value | null | undefined): string =>
  Array.isArray(value) ? value.join(', ') : value === null || value === undefined ? '' : String(value);

/** What the fields show at first. A secret is never told, so its field is empty. */
export const typedAtFirst = (fields: readonly GatewaySetting[], account: Known): Typed =>
  Object.fromEntries(fields.map((field) => [field.name, shownAtFirst(field, account)]));

function shownAtFirst({ name, kind, secret, default: usual }: GatewaySetting, account: Known) {
  if (secret) return kind === 'flag' ? false : '';
  const value = account?.settings[name] ?? usual;
  return kind === 'flag' ? value === true : textOf(value);
}

/**
 * What is to be sent: the settings that differ from what the page showed. An empty field takes its setting away, but an empty
 * secret is left as it is.
 * @param removed names of secrets that are to be taken away
 */
export function changesOf(
  fields: readonly GatewaySetting[],
  account: Known,
  typed: Typed,
  removed: readonly string[],
): GatewaySettings['settings'] {
  const changes = fields.flatMap((field) => {
    const { name, secret } = field;
    const now = typed[name] ?? '';
    if (secret && now === '') return removed.includes(name) ? [[name, null] as const] : [];
    return now === shownAtFirst(field, account) ? [] : [[name, sentOf(field, now)] as const];
  });
  return Object.fromEntries(changes);
}

function sentOf({ kind }: GatewaySetting, typed: string | boolean): Value | null {
  if (typeof typed === 'boolean') return typed;
  const text = typed.trim();
  if (text === '') return null;
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind !== 'list') return text;
  return text.split(/[,\s]+/).filter((part) => part !== '');
}

/** Labels of needed settings that stand empty. */
export const missingOf = (
  fields: readonly GatewaySetting[],
  account: Pick<GatewayAccountDetail, 'secrets'> | undefined,
  typed: Typed,
): readonly string[] =>
  fields
    .filter(
      ({ name, required, secret }) =>
        required &&
        typed[name] === '' &&
        !(secret && account?.secrets.some((one) => one.name === name && one.isSet)),
    )
    .map(({ label }) => label);

/** A refusal names settings as programs do; people are told the label of the field. */
export const inLabels = (fields: readonly GatewaySetting[], message: string): string =>
  fields.reduce(
    (text, { name, label }) => text.replace(new RegExp(`'?\\b${name}\\b'?`, 'g'), `“${label}”`),
    message,
  );
