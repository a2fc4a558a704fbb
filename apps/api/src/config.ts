import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { credentialsFault } from './address-credentials.ts';
import type { S3Settings } from './files/s3-store.ts';
import { databaseAddress, mailAddress, TLS_DEMANDS, type TlsAddress, type TlsDemand } from './tls.ts';
import { readTracing, type TracingSettings } from './tracing/settings.ts';

/** Everything the program may be told from outside, parsed once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where `work` answers whoever watches it; undefined: nothing is said. */
  readonly workPort: number | undefined;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
  /** Whether a setting says where the portal is; else that is what holds where nothing is said. */
  readonly saysWhere: boolean;
  /** Absent: the embedded database in `dataDir`. It says itself that TLS is demanded, where it is. */
  readonly databaseUrl: string | undefined;
  readonly databaseTls: TlsDemand;
  /** Whether the database keeps to a customer what is done for one: where it may, or nothing starts without, or never. */
  readonly rowSecurity: 'auto' | 'required' | 'off';
  readonly dataDir: string;
  /** Demo world and gateway sandbox: as said; undefined: nothing is said, and the command is not `start`. */
  readonly demo: boolean | undefined;
  readonly sandboxPort: number;
  /** `STRIPE` or `STRIPE_API` → address, from `GATEWAY_URL_…`. */
  readonly gatewayUrls: ReadonlyMap<string, string>;
  /** Absent: mails become files. It says itself that TLS is demanded, where it is. */
  readonly smtpUrl: string | undefined;
  readonly smtpTls: TlsDemand;
  readonly mailFrom: string;
  /** Where mails that come back arrive; undefined: they are not seen. */
  readonly mailBounces: string | undefined;
  /** Absent only with the embedded database, where one is generated into `dataDir`. */
  readonly secretKey: string | undefined;
  /** Accepted beside it while keys are changed: the one that goes, or the one that comes. */
  readonly secretKeyFallback: string | undefined;
  /** `file:` or `s3:`. */
  readonly filesUrl: URL;
  /** How the storage is reached; with an `s3:` address only. */
  readonly s3: S3Settings | undefined;
  /** Folder of the built portal. */
  readonly webDist: string;
  readonly reconcileIntervalMs: number;
  /** After the order to stop the process answers on for this long, as not ready. */
  readonly stopPauseMs: number;
  /** How many proxies of our own stand before this server; 0: what is forwarded is not believed. */
  readonly trustProxy: number;
  readonly logLevel: LogLevel;
  /** Whether webhooks may be sent to addresses inside private networks, and without TLS. */
  readonly webhooksAllowPrivate: boolean;
  /** Folder whose folders, called as resellers' ids, take files in; absent: there are none. */
  readonly importFolder: string | undefined;
  readonly metricsToken: string | undefined;
  readonly passwordMinLength: number;
  readonly passwordRule: 'composition' | 'length';
  readonly sessionEnds: SessionEnds;
  readonly retention: Retention;
  /** Absent: nothing is traced. */
  readonly tracing: TracingSettings | undefined;
}

/** How long data of each class is kept, days; 0: for ever. */
export interface Retention {
  readonly mails: number;
  /** Ended sessions with where they came from, used codes and links. */
  readonly signIns: number;
  readonly gatewayEvents: number;
  /** Rows of files that could not be placed. */
  readonly quarantine: number;
  /** Stored documents of invoices, from the day of the invoice on. */
  readonly documents: number;
  readonly audit: number;
}

/** When sessions of the portal end by themselves, days. */
export interface SessionEnds {
  /** After the last renewal. */
  readonly idleDays: number;
  /** After the sign-in, however often they are renewed. */
  readonly maxDays: number;
}

/** The built portal, where `npm start` puts it. */
const WEB_DIST = join(import.meta.dirname, '../../web/dist');

/** Threads of libuv for files, host names, compression and hashing together; read by Node itself at its start. */
export const threadPoolSize = Number(process.env['UV_THREADPOOL_SIZE']) || 4;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One or more settings are wrong. `message` is one line that names each of them. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The settings of this process, from its environment.
 * @throws {BadConfig}
 */
export const readSettings = (): Config => readConfig(process.env);

/**
 * The settings of `start`: what is wholly this machine's own is a demo, unless they say otherwise.
 * @throws {BadConfig}
 */
export const readStartSettings = (): Config => readConfig(process.env, { isStart: true });

/**
 * Reads and checks all settings; reports every fault at once.
 * @throws {BadConfig}
 */
export function readConfig(
  env: Env,
  { cwd = process.cwd(), isStart = false }: { readonly cwd?: string; readonly isStart?: boolean } = {},
): Config {
  const reader = new SettingReader(env);
  const port = reader.integer('PORT', 3000, 0, 65_535);
  const dataDir = resolve(cwd, reader.text('DATA_DIR') ?? '.data');
  const databaseTls = reader.oneOf('DATABASE_TLS', TLS_DEMANDS, 'required');
  const databaseUrl = reader.demandingUrl('DATABASE_URL', ['postgres:', 'postgresql:'], (url) =>
    databaseAddress(url, databaseTls, reader.text('PGHOST')),
  );
  const smtpTls = reader.oneOf('SMTP_TLS', TLS_DEMANDS, 'required');
  const secretKey = reader.secret('SECRET_KEY', 32);
  if (databaseUrl !== undefined && secretKey === undefined && !reader.has('SECRET_KEY')) {
    reader.fault('SECRET_KEY is required with DATABASE_URL');
  }
  const publicUrl = reader.plainUrl('PUBLIC_URL', ['http:', 'https:']) ?? new URL(`http://localhost:${port}`);
  const gatewayUrls = reader.gatewayUrls();
  const filesUrl = reader.filesUrl('FILES_URL') ?? pathToFileURL(`${join(dataDir, 'files')}/`);
  const standard = isStart ? isLocal({ databaseUrl, publicUrl }) : undefined;
  const demo = reader.flag('DEMO', standard);
  if (demo === true) for (const fault of demoFaults({ publicUrl, gatewayUrls })) reader.fault(fault);
  const config: Config = {
    host: reader.text('HOST') ?? '127.0.0.1',
    port,
    workPort: reader.text('WORK_PORT') === undefined ? undefined : reader.integer('WORK_PORT', 0, 0, 65_535),
    publicUrl,
    saysWhere: reader.has('PUBLIC_URL') || reader.has('PORT'),
    databaseUrl,
    databaseTls,
    rowSecurity: reader.oneOf('DATABASE_ROW_SECURITY', ['auto', 'required', 'off'] as const, 'auto'),
    dataDir,
    demo,
    sandboxPort: reader.integer('SANDBOX_PORT', 4010, 0, 65_535),
    gatewayUrls,
    smtpUrl: reader.demandingUrl('SMTP_URL', ['smtp:', 'smtps:'], (url) => mailAddress(url, smtpTls)),
    smtpTls,
    mailFrom: reader.mailAddress('MAIL_FROM') ?? 'billing@localhost',
    mailBounces: reader.mailAddress('MAIL_BOUNCES'),
    secretKey,
    secretKeyFallback: reader.secret('SECRET_KEY_FALLBACK', 32),
    filesUrl,
    s3: filesUrl.protocol === 's3:' ? reader.s3() : undefined,
    webDist: resolve(cwd, reader.text('WEB_DIST') ?? WEB_DIST),
    reconcileIntervalMs: reader.integer('RECONCILE_INTERVAL_MS', 5_000, 100, 3_600_000),
    stopPauseMs: reader.integer('STOP_PAUSE_MS', isStart && demo === true ? 0 : 5_000, 0, 120_000),
    trustProxy: reader.integer('TRUST_PROXY', 0, 0, 10),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    webhooksAllowPrivate: reader.flag('WEBHOOKS_ALLOW_PRIVATE', false) ?? false,
    importFolder: reader.folder('IMPORT_FOLDER', cwd),
    metricsToken: reader.text('METRICS_TOKEN'),
    passwordMinLength: reader.integer('PASSWORD_MIN_LENGTH', 6, 6, 128),
    passwordRule: reader.oneOf('PASSWORD_RULE', ['composition', 'length'] as const, 'composition'),
    sessionEnds: {
      idleDays: reader.integer('SESSION_IDLE_DAYS', 30, 1, 365),
      maxDays: reader.integer('SESSION_MAX_DAYS', 90, 1, 365),
    },
    retention: {
      mails: reader.keptDays('RETAIN_MAILS_DAYS', 400, 30),
      signIns: reader.keptDays('RETAIN_SIGN_INS_DAYS', 0, 90),
      gatewayEvents: reader.keptDays('RETAIN_GATEWAY_EVENTS_DAYS', 0, 90),
      quarantine: reader.keptDays('RETAIN_QUARANTINE_DAYS', 0, 30),
      documents: reader.keptDays('RETAIN_DOCUMENTS_DAYS', 0, 365),
      audit: reader.keptDays('RETAIN_AUDIT_DAYS', 0, 365),
    },
    tracing: readTracing(reader),
  };
  reader.finish();
  return config;
}

/** Whether an address leads to this very machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const isPlainLocal = (publicUrl: URL): boolean => publicUrl.protocol === 'http:' && isLoopback(publicUrl);

/** Whether database and portal are this machine's own, so that `npm start` is somebody who tries it out. */
export const isLocal = ({ databaseUrl, publicUrl }: Pick<Config, 'databaseUrl' | 'publicUrl'>): boolean =>
  databaseUrl === undefined && isPlainLocal(publicUrl);

/**
 * What in these settings forbids a demo: a portal that others reach, or a gateway that is no sandbox of this machine.
 * @returns sentences that each name a setting
 */
export function demoFaults({
  publicUrl,
  gatewayUrls,
}: Pick<Config, 'publicUrl' | 'gatewayUrls'>): readonly string[] {
  const faults = isPlainLocal(publicUrl)
    ? []
    : [`DEMO=1 is refused with PUBLIC_URL ${publicUrl.origin}: a demo world is for this machine only`];
  for (const [id, url] of gatewayUrls)
    if (!isLoopback(new URL(url)))
      faults.push(
        `DEMO=1 is refused with GATEWAY_URL_${id} ${new URL(url).origin}: a demo calls a sandbox of this machine only`,
      );
  return faults;
}

class SettingReader {
  readonly #env: Env;
  readonly #faults: string[] = [];

  constructor(env: Env) {
    this.#env = env;
  }

  has(name: string): boolean {
    return this.text(name) !== undefined || this.text(`${name}_FILE`) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  integer(name: string, standard: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return standard;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    this.fault(`${name} must be a whole number from ${min} to ${max}`);
    return standard;
  }

  /** Days for which something is kept; 0: for ever. @param least fewer would take away what work still needs */
  keptDays(name: string, standard: number, least: number): number {
    const days = this.integer(name, standard, 0, 36_500);
    if (days > 0 && days < least) this.fault(`${name} must be 0, which is for ever, or at least ${least}`);
    return days;
  }

  flag(name: string, standard: boolean | undefined): boolean | undefined {
    const text = this.text(name);
    if (text === undefined) return standard;
    if (text === '1' || text === 'true') return true;
    if (text !== '0' && text !== 'false') this.fault(`${name} must be 1 or 0`);
    return false;
  }

  oneOf<T extends string>(name: string, values: readonly T[], standard: T): T {
    const text = this.text(name);
    if (text === undefined) return standard;
    const found = values.find((value) => value === text);
    if (found === undefined) this.fault(`${name} must be one of ${values.join(', ')}`);
    return found ?? standard;
  }

  url(name: string, schemes: readonly string[]): URL | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const url = URL.parse(text);
    if (url !== null && schemes.includes(url.protocol)) return url;
    this.fault(
      `${name} must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    );
    return undefined;
  }

  /** An address whose scheme and port stand in links: without user, path, query and fragment. */
  plainUrl(name: string, schemes: readonly string[]): URL | undefined {
    const url = this.url(name, schemes);
    if (url !== undefined && url.href !== `${url.origin}/`)
      this.fault(`${name} must be without user, path, query and fragment, such as ${url.origin}`);
    return url;
  }

  /** The path of a folder, from where the program was started. */
  folder(name: string, cwd: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : resolve(cwd, text);
  }

  /** A folder of this machine, or a bucket. */
  filesUrl(name: string): URL | undefined {
    const url = this.url(name, ['file:', 's3:']);
    try {
      if (url?.protocol === 'file:') fileURLToPath(url);
      const isBucket = url?.protocol !== 's3:' || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname);
      if (isBucket) return url;
    } catch {
      // Said below.
    }
    this.fault(
      `${name} must be a folder of this machine, such as file:///srv/files/, or a bucket, such as s3://bucket/prefix`,
    );
    return undefined;
  }

  /** By the names that the tools of S3 have for them. */
  s3(): S3Settings {
    const accessKeyId = this.text('AWS_ACCESS_KEY_ID');
    const secretAccessKey = this.secret('AWS_SECRET_ACCESS_KEY', 1);
    if (accessKeyId === undefined || secretAccessKey === undefined)
      this.fault('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required with FILES_URL s3://');
    return {
      endpoint: this.url('AWS_ENDPOINT_URL', ['https:', 'http:'])?.href,
      region: this.text('AWS_REGION') ?? 'us-east-1',
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      sessionToken: this.text('AWS_SESSION_TOKEN'),
    };
  }

  mailAddress(name: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined && !isMailAddress(text))
      this.fault(`${name} must be a mail address alone, such as billing@example.com`);
    return text;
  }

  /** An address with what is demanded of connections to it. */
  demandingUrl(
    name: string,
    schemes: readonly string[],
    demand: (url: URL) => TlsAddress,
  ): string | undefined {
    const misread = credentialsFault(name, this.text(name) ?? '');
    if (misread !== undefined) {
      this.fault(misread);
      return undefined;
    }
    const url = this.url(name, schemes);
    if (url === undefined) return undefined;
    const address = demand(url);
    if ('href' in address) return address.href;
    this.fault(address.fault);
    return undefined;
  }

  secret(name: string, minLength: number): string | undefined {
    const file = this.text(`${name}_FILE`);
    let value = this.text(name);
    if (file !== undefined) {
      try {
        value = readFileSync(file, 'utf8').trim();
      } catch (error) {
        const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        this.fault(`${name}_FILE cannot be read: ${file} (${why})`);
        return undefined;
      }
    }
    if (value !== undefined && value.length < minLength) {
      this.fault(`${name} must have at least ${minLength} characters`);
      return undefined;
    }
    return value;
  }

  gatewayUrls(): Map<string, string> {
    const urls = new Map<string, string>();
    for (const name of Object.keys(this.#env)) {
      const id = /^GATEWAY_URL_([A-Z0-9_]+)$/.exec(name)?.[1];
      const url = id === undefined ? undefined : this.url(name, ['http:', 'https:']);
      if (id !== undefined && url !== undefined) urls.set(id, url.href.replace(/\/$/, ''));
    }
    return urls;
  }

  fault(text: string): void {
    this.#faults.push(text);
  }

  finish(): void {
    if (this.#faults.length > 0) throw new BadConfig(`bad settings: ${this.#faults.join('; ')}`);
  }
}
