import type { EngineDeps } from '../payments/service.ts';
import type { Reason, Verdict } from './judge.ts';

export interface AutoPayDeps extends EngineDeps {
  readonly publicUrl: URL;
  /** Told of each step; tests end the process there. */
  readonly reached?: (step: Step) => void;
}

/** `deciding`: locked, nothing written; `written`: run and attempt committed; `answered`: the gateway's answer is in. */
export type Step = 'announced' | 'deciding' | 'written' | 'answered';

/** What a round has done about one invoice. */
export interface Done {
  readonly customerId: string;
  readonly customer: string;
  readonly invoiceId: string;
  readonly invoice: string;
  readonly did: Verdict['do'];
  readonly reason?: Reason;
  /** Where the attempt stands, for a charge. */
  readonly state?: string;
}
