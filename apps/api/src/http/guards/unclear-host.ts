import type { IncomingMessage } from 'node:http';
import { AppError } from '../../app-error.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port: what an address of the web has there. */
const HOST = /^(?:[a-z\d_](?:[a-z\d_.-]*[a-z\d_.])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Refuses a request of which it cannot be told what host it asks for (RFC 9112 3.2): a proxy before this server might
 * read it otherwise than we do, and the host says whose brand it is and which pages may write.
 * @param trustProxy how many proxies of our own are before us: what they forward counts like `Host`
 * @throws {AppError} request.malformed
 */
export function refuseUnclearHost(
  request: Pick<IncomingMessage, 'rawHeaders' | 'httpVersionMinor' | 'url'>,
  trustProxy: number,
): void {
  const hosts = valuesOf(request.rawHeaders, 'host');
  const [host] = hosts;
  // Only HTTP/1.0 knows requests that name none.
  if (hosts.length > 1 || (host === undefined ? request.httpVersionMinor > 0 : !isHost(host)))
    throw unclear();
  const asked = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '')?.[1];
  if (asked !== undefined && asked.toLowerCase() !== host?.toLowerCase()) throw unclear();
  if (trustProxy > 0 && !agree(valuesOf(request.rawHeaders, 'x-forwarded-host'))) throw unclear();
}

const unclear = () => new AppError('request.malformed');

/** Each proxy may have added a value: they must be hosts, and the same one. */
function agree(lines: readonly string[]): boolean {
  const forwarded = lines.flatMap((line) => line.split(',')).map((value) => value.trim().toLowerCase());
  return forwarded.every((value) => isHost(value)) && new Set(forwarded).size <= 1;
}

const isHost = (text: string): boolean => HOST.test(text) && URL.canParse(`http://${text}`);

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.flatMap((header, at) =>
    at % 2 === 0 && header.toLowerCase() === name ? [(rawHeaders[at + 1] ?? '').trim()] : [],
  );
}
