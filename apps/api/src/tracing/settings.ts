/** How traces are sent, by the names that OpenTelemetry has for them. */
export interface TracingSettings {
  /** Where spans are sent by OTLP (HTTP, protobuf), with the path of traces. */
  readonly url: string;
  /** Sent with them, such as a key of the collector's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** How many of the traces that begin here are kept, 0 to 1. */
  readonly share: number;
  /** Whether a caller's `traceparent` is believed. */
  readonly takesParent: boolean;
}

/** What is needed of the reader of settings. */
interface Reader {
  text(name: string): string | undefined;
  url(name: string, schemes: readonly string[]): URL | undefined;
  secret(name: string, minLength: number): string | undefined;
  flag(name: string, standard: boolean): boolean | undefined;
  fault(text: string): void;
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';
const SHARE = 'OTEL_TRACES_SAMPLER_ARG';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** @returns undefined where no endpoint is set: nothing is traced then */
export function readTracing(reader: Reader): TracingSettings | undefined {
  const endpoint = reader.url(ENDPOINT, ['http:', 'https:']);
  const headers = readHeaders(reader);
  const share = readShare(reader);
  const takesParent = reader.flag('TRACE_PARENT', false) ?? false;
  if (endpoint === undefined) return undefined;
  if (endpoint.username + endpoint.password + endpoint.search + endpoint.hash !== '')
    reader.fault(`${ENDPOINT} must be without user, query and fragment; a key belongs into ${HEADERS}`);
  return {
    url: `${endpoint.href.replace(/\/$/, '')}/v1/traces`,
    headers,
    serviceName: reader.text('OTEL_SERVICE_NAME') ?? 'counterfoil',
    share,
    takesParent,
  };
}

/** `name=value,name=value`, values as in addresses (`%20`). */
function readHeaders(reader: Reader): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of (reader.secret(HEADERS, 1) ?? '').split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    const value = decoded(part.slice(at + 1).trim());
    if (at < 1 || !TOKEN.test(name) || value === undefined) {
      reader.fault(`${HEADERS} must be name=value, several with commas between`);
      return {};
    }
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text);
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readShare(reader: Reader): number {
  const text = reader.text(SHARE);
  if (text === undefined) return 1;
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  reader.fault(`${SHARE} must be a number from 0 to 1`);
  return 1;
}
