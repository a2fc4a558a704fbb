/** A charge that was really made, as the sandbox's journal has it. */
export interface SandboxCharge {
  /** Our own reference of the attempt. */
  readonly reference: string;
  readonly metadata: { readonly invoices?: string };
  readonly minor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  readonly state: string;
}

/** The gateway sandbox: its journal and its switches. */
export class Sandbox {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Orders one fault for the next request of this kind by this account.
   * @param more e.g. `{ms: 2000}` for modes that wait
   */
  async fault(
    account: string,
    operation: 'charge' | 'find',
    mode: string,
    more: Readonly<Record<string, number>> = {},
  ): Promise<void> {
    const order = { gateway: 'stripe', operation, mode, times: 1, account, ...more };
    await this.#ask('faults', { method: 'POST', body: JSON.stringify(order) });
  }

  /** What was really charged for an invoice. */
  async chargesOf({ number }: { readonly number: string }): Promise<SandboxCharge[]> {
    const { charges } = (await this.#ask('charges')) as { charges: SandboxCharge[] };
    return charges.filter(({ metadata }) => metadata.invoices === number);
  }

  /** What was really charged at a provider's account, whole units, in order of size; of any gateway. */
  async taken({ account }: { readonly account: string }): Promise<number[]> {
    const { charges } = (await this.#ask('charges')) as { charges: { account: string; minor: number }[] };
    return charges
      .filter((charge) => charge.account.endsWith(account))
      .map(({ minor }) => minor / 100)
      .toSorted((a, b) => a - b);
  }

  /** Lets time pass there: what banks answer after a while is answered. @param advanceMs milliseconds */
  async later(advanceMs: number): Promise<void> {
    await this.#ask('clock', { method: 'POST', body: JSON.stringify({ advanceMs }) });
  }

  async #ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(`${this.#url}/_sandbox/${path}`, init);
    if (!response.ok) throw new Error(`the sandbox refused ${path}: ${await response.text()}`);
    return response.json();
  }
}
