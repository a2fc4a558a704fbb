/** What a page saw of itself: the browser's event timings of interactions, and what moved unasked. */
export interface Seen {
  readonly events: { readonly interaction: number; readonly duration: number }[];
  readonly shifts: number[];
}

/** The browser reports no event that took less. */
const SHORTEST_MS = 16;

/** What is of use in the entries of both kinds. */
interface Timing {
  readonly duration: number;
  readonly interactionId?: number;
  readonly hadRecentInput?: boolean;
  readonly value?: number;
}

/** Runs in every page before its own scripts; leaves what it sees in `globalThis.seen`. */
export function watchPaints(): void {
  const seen: Seen = { events: [], shifts: [] };
  Object.assign(globalThis, { seen });
  const watch = (type: string, take: (entry: Timing) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as unknown as Timing);
    }).observe({ type, buffered: true, durationThreshold: 16 } as { type: string; buffered: boolean });
  watch('event', ({ interactionId, duration }) => {
    if (interactionId) seen.events.push({ interaction: interactionId, duration });
  });
  watch('layout-shift', ({ hadRecentInput, value }) => {
    if (hadRecentInput !== true) seen.shifts.push(value ?? 0);
  });
}

/**
 * Milliseconds from input to the next paint, of each interaction: its longest event, as the browser's own figure
 * (interaction to next paint) has it. Those too short to be reported count as the shortest that is.
 */
export function interactionsOf(seen: Seen, count: number): number[] {
  const longest = new Map<number, number>();
  for (const { interaction, duration } of seen.events)
    longest.set(interaction, Math.max(longest.get(interaction) ?? 0, duration));
  const reported = [...longest.values()];
  return [...reported, ...Array(Math.max(0, count - reported.length)).fill(SHORTEST_MS)];
}

export const shiftOf = ({ shifts }: Seen): number => shifts.reduce((all, value) => all + value, 0);
