import { type Cause, remedyOf } from './causes.ts';
import type { FileOutcome, ImportSummary } from './report.ts';

/** Adds up what files came to. @param takenFromQuarantine entries of earlier imports that went in after this one */
export function summaryOf(outcomes: readonly FileOutcome[], takenFromQuarantine: number): ImportSummary {
  let [isIn, quarantined, keptOfAll] = [0, 0, 0];
  const counts = new Map<Cause, number>();
  for (const { report, causes, kept } of outcomes) {
    keptOfAll += kept;
    isIn += report.created + report.updated + report.unchanged;
    quarantined += report.quarantined;
    for (const [cause, count] of causes) counts.set(cause, (counts.get(cause) ?? 0) + count);
  }
  const reasons = [...counts].map(([cause, count]) => ({ cause, count, remedy: remedyOf(cause) }));
  reasons.sort((a, b) => b.count - a.count);
  return { in: isIn, quarantined, kept: keptOfAll, reasons, takenFromQuarantine };
}

/** How many went in and how many did not. */
export function inWords(isIn: number, quarantined: number): string {
  if (quarantined === 0) return `All ${isIn} went in.`;
  const out = `${quarantined} ${quarantined === 1 ? 'is' : 'are'} in quarantine`;
  return isIn === 0 ? `Nothing went in; ${out}.` : `${isIn} went in, ${out}.`;
}
