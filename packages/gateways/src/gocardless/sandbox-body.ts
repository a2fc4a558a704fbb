/** What a body may hold, and how the provider words what it refuses. */
import { type BillingRequest, fitsField, type Json, schemes, type Texts, typed } from './sandbox-data.ts';

/** A refusal in the provider's words. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly entries: readonly Json[];
  constructor(status: number, type: string, message: string, entries: readonly Json[]) {
    super(message);
    this.status = status;
    this.type = type;
    this.entries = entries;
  }
}
export const wrongState = (reason: string, message: string, links?: Texts): Refusal =>
  new Refusal(422, 'invalid_state', message, [
    { reason, message, ...(links === undefined ? {} : { links }) },
  ]);
export const wrongUse = (status: number, reason: string, message: string): Refusal =>
  new Refusal(status, 'invalid_api_usage', message, [{ reason, message }]);
export const wrongField = (pointer: string, message: string): Refusal =>
  new Refusal(422, 'validation_failed', 'Validation failed', [
    { field: pointer.slice(pointer.lastIndexOf('/') + 1), message, request_pointer: pointer },
  ]);

// ---- Members of bodies ----

export function only(body: Json, envelope: string, members: string): void {
  const known = members.split(' ');
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other !== undefined) throw wrongUse(400, 'bad_request', `${envelope} has no member ${other}`);
}
export const part = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function metadataOf(value: unknown, envelope: string): Texts {
  const entries = Object.entries(part(value));
  const fits = entries.every(
    ([name, each]) => name.length <= 50 && typeof each === 'string' && each.length <= 500,
  );
  if (!fits || entries.length > 3)
    throw wrongField(`/${envelope}/metadata`, 'must be up to 3 texts of 500 characters');
  return Object.fromEntries(entries) as Texts;
}

export function minorOf(value: unknown, pointer: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw wrongField(pointer, 'must be a whole number greater than 0');
  return value;
}

/** @throws {Refusal} naming the member that is wrong */
export function checkAccount({ mandate_request: wanted }: BillingRequest, details: Json): Json {
  const scheme = schemes[wanted.scheme];
  const pointer = (name: string) => `/customer_bank_accounts/${name}`;
  if (text(details['account_holder_name']).trim() === '')
    throw wrongField(pointer('account_holder_name'), "can't be blank");
  for (const [name, field] of Object.entries(scheme?.fields ?? {})) {
    const given = typed(details[name]);
    if (given === '') throw wrongField(pointer(name), "can't be blank");
    if (!fitsField(field, given))
      throw wrongField(pointer(name), /^\d+$/.test(given) ? 'is invalid' : 'must be a number');
  }
  return details;
}

export function found<T>(resource: T | undefined): T {
  if (resource === undefined) throw wrongUse(404, 'resource_not_found', 'Resource not found');
  return resource;
}
export function linked<T>(resource: T | undefined, name: string): T {
  if (resource === undefined) throw wrongUse(422, 'link_not_found', `${name} was not found`);
  return resource;
}
