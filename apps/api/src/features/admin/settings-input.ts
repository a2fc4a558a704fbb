import * as z from 'zod/mini';
import { AdminRefused } from './refused.ts';

type Settings = Readonly<Record<string, unknown>>;

/**
 * Applies `name=value` assignments to stored settings. A value is read as JSON where it is JSON and the schema
 * takes it so, else as text; a list may be written with commas; an empty value takes the setting back to its
 * default. `group.member=value` sets one member of a group.
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

function assign(schema: z.ZodMiniObject, settings: Settings, assignment: string): Settings {
  const at = assignment.indexOf('=');
  const name = at < 0 ? assignment : assignment.slice(0, at);
  if (at < 1) throw new AdminRefused(`'${name}' is no setting; write name=value`);
  const [key = '', member, ...more] = name.split('.');
  const field: unknown = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
  if (!isSchema(field) || more.length > 0) {
    throw new AdminRefused(
      `there is no setting '${name}'; there are: ${Object.keys(schema.shape).join(', ')}`,
    );
  }
  const text = assignment.slice(at + 1);
  const { [key]: before, ...others } = settings;
  if (text === '' && member === undefined) return others;
  for (const candidate of candidatesOf(text)) {
    const value =
      member === undefined ? candidate : { ...(isSettings(before) ? before : {}), [member]: candidate };
    const parsed = z.safeParse(field, value);
    if (parsed.success && (member === undefined || hasMember(parsed.data, member))) {
      return { ...settings, [key]: value };
    }
  }
  throw new AdminRefused(`the value given for '${name}' does not fit`);
}

const isSchema = (field: unknown): field is z.ZodMiniType => field instanceof z.core.$ZodType;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasMember = (value: unknown, member: string): boolean =>
  isSettings(value) && Object.hasOwn(value, member);

/** What a text may mean, the most exact first. */
function candidatesOf(text: string): readonly unknown[] {
  const asText = [text, text.split(',').map((part) => part.trim())];
  try {
    return [JSON.parse(text), ...asText];
  } catch {
    return asText;
  }
}
