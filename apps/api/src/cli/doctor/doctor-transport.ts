import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { databaseWish, isThisMachine, mailWish } from '../../tls.ts';
import { type Finding, reasonOf } from './finding.ts';

const SMTP_WITHIN_MS = 5_000;

/** Whether the mail server answers, and whether mails reach it by TLS. */
export async function mailFinding({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) {
    return { what: 'mail', is: 'warning', found: 'no SMTP_URL: mails become files in DATA_DIR/outbox' };
  }
  const { createTransport } = await import('nodemailer');
  const log = new UpgradeLog();
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_WITHIN_MS,
    greetingTimeout: SMTP_WITHIN_MS,
    socketTimeout: SMTP_WITHIN_MS,
    logger: log,
  });
  try {
    await transport.verify();
    return answering(new URL(smtpUrl), log.isUpgraded);
  } catch (error) {
    const isTls = error instanceof Error && 'code' in error && error.code === 'ETLS';
    const trouble = isTls ? 'gives no TLS, which is demanded (SMTP_TLS)' : 'does not answer';
    return { what: 'mail', is: 'fault', found: `the mail server ${trouble}: ${reasonOf(error)}` };
  } finally {
    transport.close();
  }
}

function answering(url: URL, isUpgraded: boolean): Finding {
  const wish = mailWish(url);
  const isHere = isThisMachine(url.hostname);
  const tls =
    wish === 'none'
      ? isUpgraded
        ? 'TLS because it offers it; nothing demands it'
        : `without TLS${isHere ? ', on this machine' : ''}`
      : wish === 'verified'
        ? 'TLS, demanded, its certificate checked'
        : 'TLS, demanded, its certificate not checked';
  const isSafe = isHere || wish === 'verified';
  return { what: 'mail', is: isSafe ? 'ok' : 'warning', found: `the mail server answers; ${tls}` };
}

/** The library's log, which alone says whether a connection that began without TLS went on with it. */
class UpgradeLog {
  isUpgraded = false;
  level(): void {}
  info(_entry: unknown, text?: unknown): void {
    if (String(text).includes('upgraded with STARTTLS')) this.isUpgraded = true;
  }
  trace(): void {}
  debug(): void {}
  warn(): void {}
  error(): void {}
  fatal(): void {}
}

/** What protects the way to the database: looked at on a connection of the program's own. */
export async function databaseTlsFinding(db: Database, databaseUrl: string): Promise<Finding> {
  const what = 'database TLS';
  const socket = await db.withConnection(async (client) => client.connection.stream);
  if (socket instanceof TLSSocket) {
    const { name, standardName = name } = socket.getCipher();
    const isChecked = databaseWish(new URL(databaseUrl)) === 'verified' && socket.authorized;
    const certificate = `certificate ${isChecked ? 'checked' : 'not checked'}`;
    const found = `${socket.getProtocol() ?? 'TLS'}, ${standardName}, ${certificate}`;
    return { what, is: isChecked ? 'ok' : 'warning', found };
  }
  // A Unix socket has no address.
  const isHere = isThisMachine((socket instanceof Socket ? socket.remoteAddress : undefined) ?? '/');
  return isHere
    ? { what, is: 'ok', found: 'none; the database is on this machine' }
    : { what, is: 'warning', found: 'none, by DATABASE_TLS=off: who is on the way can read everything' };
}

/** Addresses set for gateways get their keys: they too should be reached by TLS. */
export function gatewayAddressFindings({ gatewayUrls }: Pick<Config, 'gatewayUrls'>): readonly Finding[] {
  return [...gatewayUrls].flatMap(([name, href]): Finding[] => {
    const { protocol, hostname } = new URL(href);
    if (protocol === 'https:' || isThisMachine(hostname)) return [];
    const found = `${href}: keys and payments travel without TLS`;
    return [{ what: `GATEWAY_URL_${name}`, is: 'warning', found }];
  });
}
