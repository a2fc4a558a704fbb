/** What a page saw of itself: the browser's event timings of interactions, and what moved unasked. */
export interface Seen {
  readonly events: Interaction[];
  readonly shifts: { readonly value: number; readonly what: string }[];
}

/** Milliseconds of one event: until its handlers ran, while they ran, and from input to the next paint. */
interface Interaction {
  readonly id: number;
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
    if (id) seen.events.push({ id, waited, worked, duration });
  });
  watch('layout-shift', ({ hadRecentInput, value, sources }) => {
    if (hadRecentInput === true) return;
    const what = sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`).join(', ');
    seen.shifts.push({ value, what });
  });
}

/**
 * Each interaction by its longest event, as the browser's own figure (interaction to next paint) has it; the slowest
 * first. Those too short to be reported count as the shortest that is.
 */
export function interactionsOf(seen: Seen, count: number): readonly Interaction[] {
  const longest = new Map<number, Interaction>();
  for (const event of seen.events)
    if (event.duration > (longest.get(event.id)?.duration ?? 0)) longest.set(event.id, event);
  const short = Array.from({ length: Math.max(0, count - longest.size) }, (_, id) => ({
    id,
    waited: 0,
    worked: 0,
    duration: SHORTEST_MS,
  }));
  return [...longest.values(), ...short].toSorted((a, b) => b.duration - a.duration);
}

export const shiftOf = ({ shifts }: Seen): number => shifts.reduce((all, { value }) => all + value, 0);
