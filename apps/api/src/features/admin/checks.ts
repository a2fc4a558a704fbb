import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AdminRefused } from './refused.ts';

const LONGEST_NAME = 200;
const LARGEST_ID = 2_147_483_647;
const CONTROL = /\p{Cc}/u;

/** A name as it is stored. @throws {AdminRefused} when it is empty, too long or holds control characters */
export function checkedName(what: string, text: string): string {
  const name = text.trim();
  if (name === '') throw new AdminRefused(`the ${what} is empty`);
  if ([...name].length > LONGEST_NAME) {
    throw new AdminRefused(`the ${what} is longer than ${LONGEST_NAME} characters`);
  }
  if (CONTROL.test(name)) throw new AdminRefused(`the ${what} holds control characters`);
  return name;
}

/** @throws {AdminRefused} unless it is a whole number from 1 that the table can hold */
export function checkedNumber(what: string, id: number): number {
  if (Number.isInteger(id) && id >= 1 && id <= LARGEST_ID) return id;
  throw new AdminRefused(`the ${what} must be a whole number from 1 to ${LARGEST_ID}`);
}

/** An e-mail address in small letters. @throws {AdminRefused} */
export function checkedEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (isMailAddress(email)) return email;
  throw new AdminRefused(`'${text}' is no e-mail address`);
}

/** An ISO 3166-1 alpha-2 code in capitals. @throws {AdminRefused} */
export function checkedCountry(text: string): string {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  throw new AdminRefused(`'${text}' is no country code of two letters`);
}

const hostPattern =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** A host name in small letters, without a port. @throws {AdminRefused} */
export function checkedHost(host: string): string {
  if (hostPattern.test(host)) return host;
  throw new AdminRefused(`'${host}' is no host name such as bills.example.com`);
}

/** @throws {AdminRefused} when there is no such reseller */
export async function requireReseller(tx: Tx, resellerId: number): Promise<void> {
  const row = await tx.maybeOne(sql`select 1 from reseller where id = ${resellerId} for key share`);
  if (row === undefined) throw new AdminRefused(`there is no reseller ${resellerId}`);
}
