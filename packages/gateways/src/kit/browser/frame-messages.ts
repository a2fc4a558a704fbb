/** What a message out of a provider's page means for the page around it. */
export type FrameHint =
  /** It is done: what stands here is out of date. */
  | { readonly is: 'reload' }
  /** Words to be shown for some seconds. */
  | { readonly is: 'warning'; readonly text: string };

/** Codes with which a page says that it is done (payments §2). */
const reloadCodes: ReadonlySet<string> = new Set(['000', 'AFS-103']);
/** More than this is no short message. */
const LONGEST = 100;

/**
 * Reads a message as far as it counts: only one that was sent by this very frame, from a declared origin. Anybody can send
 * messages to a page; another frame of the same origin, and the frame after it went elsewhere, are anybody.
 * @param source the window of the frame
 * @returns its data; undefined: it is not for us
 */
export function dataOf(
  event: Pick<MessageEvent<unknown>, 'source' | 'origin' | 'data'>,
  source: unknown,
  origins: readonly string[],
): unknown {
  if (source === null || source === undefined || event.source !== source) return undefined;
  return origins.includes(event.origin) ? event.data : undefined;
}

/** The hint of a short text; undefined for anything else. A hint never says that something was paid or saved. */
export function hintOf(data: unknown): FrameHint | undefined {
  if (typeof data !== 'string') return undefined;
  const text = data.trim();
  if (text === '' || text.length > LONGEST) return undefined;
  return reloadCodes.has(text) ? { is: 'reload' } : { is: 'warning', text };
}
