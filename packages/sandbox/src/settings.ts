/** Switches of the whole sandbox, changed by `POST /_sandbox/settings`. Times in milliseconds. */
export interface Settings {
  /** Simulated time the gateway takes for a call that writes, half of it before and half after it takes effect. */
  delayMs: number;
  /** How long a bank debit stays under way; `…Delayed` test accounts take `delayedDebitMs`. */
  debitMs: number;
  delayedDebitMs: number;
  /** How long an object stays invisible to search. */
  searchDelayMs: number;
  /** How long a call that is never answered keeps its connection. */
  hangMs: number;
  /** Whether a payment the bank is processing may still be canceled. */
  cancelProcessing: boolean;
}

export const defaultSettings: Readonly<Settings> = {
  delayMs: 0,
  debitMs: 3000,
  delayedDebitMs: 180_000,
  searchDelayMs: 30_000,
  hangMs: 120_000,
  cancelProcessing: false,
};
