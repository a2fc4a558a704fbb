import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { S3Settings } from './files/s3-store.ts';
import { type Env, SettingReader } from './settings/setting-reader.ts';
import { databaseAddress, mailAddress, TLS_DEMANDS, type TlsDemand } from './tls.ts';
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
