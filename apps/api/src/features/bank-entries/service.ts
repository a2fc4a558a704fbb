// What other features and commands use of entries of bank statements.
export {
  type BankEntryAct,
  type BankEntryAt,
  bookEntry,
  dismissEntry,
  reopenEntry,
} from './decide.ts';
export { withCandidates } from './present.ts';
export { MOST_NAME, MOST_TEXT, type StatementEntry } from './statement-entry.ts';
export {
  MATCH_EVERY_MS,
  matchOf,
  matchWaiting,
  type TakenEntry,
  takeEntry,
} from './take-entry.ts';
