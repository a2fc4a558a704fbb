/** How long a provider's script may take before it counts as not there, milliseconds. */
const LONGEST_MS = 30_000;

const underWay = new Map<string, Promise<unknown>>();

interface ScriptOptions {
  /** Starts over with a script that is still on its way. */
  readonly again?: boolean;
  /** How long it may take, milliseconds (30,000). */
  readonly timeoutMs?: number;
}

/**
 * Loads a provider's script once per page, always from `url`: its makers allow no copy of it. After a failure the next call
 * starts over with a new script element.
 * @param read finds what the script brings; undefined while it is not there
 * @throws {Error} when the script does not load in time, or brings nothing
 */
export function loadScript<Api>(
  url: string,
  read: () => Api | undefined,
  { again = false, timeoutMs = LONGEST_MS }: ScriptOptions = {},
): Promise<Api> {
  const present = read();
  if (present !== undefined) return Promise.resolve(present);
  // What another call waits for is read by this one itself.
  const waiting = again ? undefined : underWay.get(url);
  const loading = waiting ?? begin(url, timeoutMs);
  return loading.then(() => {
    const api = read();
    if (api === undefined) {
      if (underWay.get(url) === loading) underWay.delete(url);
      throw new Error('the script of the payment provider brought nothing');
    }
    return api;
  });
}

function begin(url: string, timeoutMs: number): Promise<unknown> {
  const script = document.createElement('script');
  const loading = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => fail(), timeoutMs);
    const fail = (): void => {
      clearTimeout(timer);
      script.remove();
      if (underWay.get(url) === loading) underWay.delete(url);
      reject(new Error('the script of the payment provider did not load'));
    };
    script.onerror = fail;
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  underWay.set(url, loading);
  script.src = url;
  script.async = true;
  document.head.append(script);
  return loading;
}
