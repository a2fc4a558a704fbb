/** What a page saw of itself: the browser's event timings of interactions, and what moved unasked. */
export interface Seen {
  readonly events: Interaction[];
  readonly shifts: { readonly value: number; readonly what: string }[];
}

/** Milliseconds of one event: when it began, until its handlers ran, while they ran, and from input to the next paint. */
interface Interaction {
  readonly id: number;
  readonly began: number;
  readonly waited: number;
  readonly worked: number;
  readonly duration: number;
}

/** What is of use in the entries of both kinds. */
interface Timing {
  readonly startTime: number;
  readonly duration: number;
  readonly processingStart: number;
  readonly processingEnd: number;
  readonly interactionId?: number;
  readonly hadRecentInput?: boolean;
  readonly value: number;
  readonly sources: readonly { readonly node?: { readonly nodeName: string; readonly className?: string } }[];
}

/** The browser reports no event that took less. */
const SHORTEST_MS = 16;
/** It rounds durations to this, so that ends of one frame differ by less. */
const ROUNDED_TO_MS = 8;

/** Runs in every page before its own scripts; leaves what it sees in `globalThis.seen`. */
export function watchPaints(): void {
  const seen: Seen = { events: [], shifts: [] };
  Object.assign(globalThis, { seen });
  const watch = (type: string, take: (entry: Timing) => void) => {
    // The browser's, not Node.js's, whose types are known here.
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as unknown as Timing);
    }) as unknown as { observe(options: object): void };
    observer.observe({ type, buffered: true, durationThreshold: 16 });
  };
  watch('event', ({ interactionId: id, startTime, processingStart, processingEnd, duration }) => {
    const [waited, worked] = [processingStart - startTime, processingEnd - processingStart];
    if (id) seen.events.push({ id, began: startTime, waited, worked, duration });
  });
  watch('layout-shift', ({ hadRecentInput, value, sources }) => {
    if (hadRecentInput === true) return;
    const what = sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`).join(', ');
    seen.shifts.push({ value, what });
  });
}

/**
 * Each interaction by its longest event, as the browser's own figure (interaction to next paint) has it; the slowest
 * first. What worked are the handlers of all its events of that frame: a press is three of them. Those too short to be
 * reported count as the shortest that is.
 */
export function interactionsOf(seen: Seen, count: number): readonly Interaction[] {
  const byId = Map.groupBy(seen.events, ({ id }) => id);
  const reported = [...byId.values()].map(inOne);
  const short = Array.from({ length: Math.max(0, count - reported.length) }, (_, id) => ({
    id,
    began: 0,
    waited: 0,
    worked: 0,
    duration: SHORTEST_MS,
  }));
  return [...reported, ...short].toSorted((a, b) => b.duration - a.duration);
}

function inOne(events: readonly Interaction[]): Interaction {
  const longest = events.reduce((one, other) => (other.duration > one.duration ? other : one));
  const end = ({ began, duration }: Interaction) => began + duration;
  const frame = events.filter((event) => Math.abs(end(event) - end(longest)) <= ROUNDED_TO_MS);
  const from = Math.min(...frame.map(({ began, waited }) => began + waited));
  const to = Math.max(...frame.map(({ began, waited, worked }) => began + waited + worked));
  return { ...longest, waited: Math.max(0, from - longest.began), worked: to - from };
}

export const shiftOf = ({ shifts }: Seen): number => shifts.reduce((all, { value }) => all + value, 0);
