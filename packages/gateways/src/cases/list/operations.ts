/**
 * What people do with a gateway in the portal, and why a gateway may lack some of it. Each is shown by a test of this title that
 * runs over every gateway (`everyGateway`) and is skipped exactly where `lacks` gives a reason: the table in `docs/gateways.md` is
 * made of the same, and `tools/ledger/conformance.test.ts` looks that the tests are there.
 */
import type { GatewayManifest } from '../../port/define-gateway.ts';

/** The tests that run over every gateway, from the top of the repository. */
export const everyGateway = 'apps/api/test/paying/gateways/every-gateway.test.ts';

export type OperationId =
  | 'addCard'
  | 'addBank'
  | 'edit'
  | 'default'
  | 'remove'
  | 'payPage'
  | 'bulk'
  | 'autoPay'
  | 'refund'
  | 'lateFailure'
  | 'recovery';

type Facts = Pick<GatewayManifest, 'capabilities' | 'saved'>;

export interface Operation {
  readonly id: OperationId;
  /** Head of its column. */
  readonly name: string;
  /** Of the test that shows it. */
  readonly title: string;
  /** By the manifest alone. @returns why this gateway lacks it; undefined where it has it */
  lacks(manifest: Facts): string | undefined;
}

const savesNothing = ({ saved }: Facts) =>
  saved === undefined ? 'no method can be saved (`saved`)' : undefined;

export const operations: readonly Operation[] = [
  {
    id: 'addCard',
    name: 'Add card',
    title: 'a card is added, shown, and pays',
    lacks: (manifest) =>
      manifest.capabilities.entry.card === undefined ? 'takes no cards (`entry`)' : savesNothing(manifest),
  },
  {
    id: 'addBank',
    name: 'Add bank account',
    title: 'a bank account is added, shown, and is debited',
    lacks: ({ capabilities: { entry }, saved }) =>
      entry.bank === undefined || Object.keys(saved?.debits ?? {}).length === 0
        ? 'takes no bank accounts (`entry`, `debits`)'
        : undefined,
  },
  {
    id: 'edit',
    name: 'Edit',
    title: 'what may be changed of a saved method is changed, and it pays still',
    lacks: ({ capabilities: { vault } }) =>
      vault.update.length === 0 ? 'nothing of a saved method can be changed (`vault.update`)' : undefined,
  },
  {
    id: 'default',
    name: 'Default',
    title: 'the second of two methods is made the default, and the first follows it when it is removed',
    lacks: savesNothing,
  },
  {
    id: 'remove',
    name: 'Remove',
    title: 'a removed method is gone, and pays nothing more',
    lacks: savesNothing,
  },
  {
    id: 'payPage',
    name: 'Pay page',
    title: 'a link is paid by a method that is not kept',
    lacks: ({ capabilities: { oneOff } }) =>
      oneOff === 'no' ? 'only saved methods pay (`oneOff`)' : undefined,
  },
  {
    id: 'bulk',
    name: 'Bulk payment',
    title: 'three invoices are paid at once by a saved method, in one charge',
    lacks: savesNothing,
  },
  {
    id: 'autoPay',
    name: 'Auto-pay',
    title: 'auto-pay announces an invoice and charges the saved method once on the day',
    lacks: savesNothing,
  },
  {
    id: 'refund',
    name: 'Refund',
    title: 'a part is refunded, then the rest, and no more',
    lacks: ({ capabilities: { refund } }) =>
      refund.when === 'never' ? 'nothing can be refunded (`refund`)' : undefined,
  },
  {
    id: 'lateFailure',
    name: 'Late failure',
    title: 'a debit that the bank returns makes its invoice due again, and another pays it',
    lacks: ({ capabilities: { settles } }) =>
      settles.bank !== 'later' ? 'no bank is debited: an answer is final (`settles`)' : undefined,
  },
  {
    id: 'recovery',
    name: 'Recovery from a time-out',
    title: 'a payment whose answer never came is found out: %s',
    lacks: () => undefined,
  },
];

/** Why this gateway lacks an operation; undefined where a test shows it. */
export const whyLacking = (id: OperationId, manifest: Facts): string | undefined =>
  operations.find((one) => one.id === id)?.lacks(manifest);
