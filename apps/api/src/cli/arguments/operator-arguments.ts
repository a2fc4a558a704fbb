import { type Invocation, UsageError } from '../command.ts';
import { neededNumber, resellerOption } from './arguments.ts';

/** Whose operators: of one reseller, or of the installation. */
export const ownerOptions = {
  ...resellerOption,
  installation: { type: 'boolean', help: 'acts for every reseller, instead of --reseller' },
} as const;

/** Null: of the installation, which has to be asked for, so that a forgotten option does not make the widest operator. */
export function ownerOf(invocation: Invocation): number | null {
  if (!invocation.flag('installation')) return neededNumber(invocation, 'reseller');
  if (invocation.text('reseller') !== undefined) throw new UsageError('either --reseller or --installation');
  return null;
}
