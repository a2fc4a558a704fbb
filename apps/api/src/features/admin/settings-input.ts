import * as z from 'zod/mini';
import { AdminRefused } from './refused.ts';

type Settings = Readonly<Record<string, unknown>>;

/**
 * Applies `name=value` assignments to stored settings. A value is read as JSON where it is JSON and the schema
 * takes it so, else as text; a list may be written with commas; an empty value takes the setting back to its
 * default. `group.member=value` sets one member of a group, at any depth.
 * @param stored what is stored now, without the schema's defaults
 * @returns what is to be stored
 * @throws {AdminRefused} for an unknown name or a value that does not fit, naming it but never its value
 */
export function applySettings(
  schema: z.ZodMiniObject,
  stored: Settings,
  assignments: readonly string[],
): Settings {
  return assignments.reduce((settings, assignment) => assign(schema, settings, assignment), stored);
}

/** Values by name; null takes a setting back to its default. */
export type SettingValues = Readonly<Record<string, unknown>>;

/**
 * The same of values that have their kind already.
 * @throws {AdminRefused} for an unknown name or a value that does not fit, naming it but never its value
 */
export function applyValues(schema: z.ZodMiniObject, stored: Settings, values: SettingValues): Settings {
  const settings = { ...stored };
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(schema, name, name);
    if (value === null) delete settings[name];
    else {
      const parsed = z.safeParse(field, value);
      if (!parsed.success)
        throw new AdminRefused(`the value given for '${name}' does not fit${whyOf(parsed.error)}`);
      settings[name] = value;
    }
  }
  return settings;
}

/** Settings as they are stored: those that are as by default are left out. */
export function withoutDefaults(schema: z.ZodMiniObject, settings: Settings): Settings {
  const defaults = membersOf(z.parse(schema, {}));
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
    ),
  );
}

function assign(schema: z.ZodMiniObject, settings: Settings, assignment: string): Settings {
  const at = assignment.indexOf('=');
  const name = at < 0 ? assignment : assignment.slice(0, at);
  if (at < 1) throw new AdminRefused(`'${name}' is no setting; write name=value`);
  const [key = '', ...members] = name.split('.');
  const field = fieldOf(schema, key, name);
  const text = assignment.slice(at + 1);
  if (text === '') return without(settings, [key, ...members]);
  let why = '';
  for (const candidate of candidatesOf(text)) {
    const changed = having(settings, [key, ...members], candidate);
    const parsed = z.safeParse(field, changed[key]);
    if (parsed.success && hasMember(parsed.data, members)) return changed;
    why = whyOf(parsed.error) || why;
  }
  throw new AdminRefused(
    members.length === 0
      ? `the value given for '${name}' does not fit${why}`
      : `'${key}' has no member '${members.join('.')}', or the value given for it does not fit`,
  );
}

/** @throws {AdminRefused} for a name that no setting has */
function fieldOf(schema: z.ZodMiniObject, key: string, name: string): z.ZodMiniType {
  const field: unknown = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
  if (isSchema(field)) return field;
  throw new AdminRefused(`there is no setting '${name}'; there are: ${Object.keys(schema.shape).join(', ')}`);
}

/** Of our own rules; the words of the library name types, which nobody typed. */
function whyOf(error: z.core.$ZodError | undefined): string {
  const why = error?.issues.find(({ message }) => message.startsWith('must '))?.message;
  return why === undefined ? '' : `: it ${why}`;
}

const isSchema = (field: unknown): field is z.ZodMiniType => field instanceof z.core.$ZodType;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): Settings => (isSettings(value) ? value : {});

const hasMember = (value: unknown, [name, ...rest]: readonly string[]): boolean =>
  name === undefined || (isSettings(value) && Object.hasOwn(value, name) && hasMember(value[name], rest));

/** The settings with a value at the end of a path of names. */
const having = (settings: Settings, [name = '', ...rest]: readonly string[], value: unknown): Settings => ({
  ...settings,
  [name]: rest.length === 0 ? value : having(membersOf(settings[name]), rest, value),
});

/** The settings without what stands at the end of a path of names; a group that becomes empty goes with it. */
function without(settings: Settings, [name = '', ...rest]: readonly string[]): Settings {
  const { [name]: before, ...others } = settings;
  if (rest.length === 0 || !isSettings(before)) return others;
  const left = without(before, rest);
  return Object.keys(left).length === 0 ? others : { ...settings, [name]: left };
}

/** What a text may mean, the most exact first. */
function candidatesOf(text: string): readonly unknown[] {
  const parts = text.split(',').map((part) => part.trim());
  const asText = [text, parts, parts.map(asJson)];
  const value = asJson(text);
  return value === text ? asText : [value, ...asText];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
