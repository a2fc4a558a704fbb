import { randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '@counterfoil/contract/people/second-factor.ts';

/** Crockford’s base32: no letter that reads like a figure, and no u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** New recovery codes of 60 bits each, such as 'k3d9-x7mq-2fht'. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

const newRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');

/** A code as it was made, from what somebody typed off a sheet: hyphens, capitals and look-alikes do not matter. */
export const plainRecoveryCode = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
