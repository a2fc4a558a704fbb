import { join } from 'node:path';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { counts } from '../counts.ts';
import { makePrivateFolder, writePrivateFile } from '../files/private.ts';
import { traced } from '../tracing/spans.ts';

export interface Mail {
  readonly to: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same mail sent again carries the same id, so that a mailbox can drop the second. */
  readonly messageId: string;
  readonly attachments?: readonly MailAttachment[];
  /** The envelope's sender, to which mail servers send it back; else the address in `from`. */
  readonly bounceTo?: string;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export interface Mailer {
  /**
   * @returns why it was refused for good, where that counts as done; undefined when it was sent
   * @throws {MailFailed} when the mail server does not take it; the job then tries again later
   */
  send(mail: Mail): Promise<MailFailed | undefined>;
}

/** The mail server did not take a mail. The message says why and names nobody. */
export class MailFailed extends Error {
  override readonly name = 'MailFailed';
  /** Sending it again would end the same: there is no such mailbox, or it takes no such mail. */
  readonly isForGood: boolean;

  constructor(message: string, isForGood: boolean) {
    super(message);
    this.isForGood = isForGood;
  }
}

const SMTP_WITHIN_MS = 20_000;
/** Most processes never send a mail: only with the first is it loaded, six megabytes. */
const library = () => import('nodemailer');

/**
 * Sends through `SMTP_URL`; without one writes `.eml` files into `DATA_DIR/outbox`.
 * @param withinMs the longest silence of the mail server, milliseconds
 */
export function createMailer(
  config: Pick<Config, 'smtpUrl' | 'dataDir'>,
  withinMs: number = SMTP_WITHIN_MS,
): Mailer {
  const mailer =
    config.smtpUrl === undefined
      ? outboxMailer(join(config.dataDir, 'outbox'))
      : smtpMailer(config.smtpUrl, withinMs);
  return { send: (mail) => traced('client', 'send mail', {}, () => mailer.send(mail)) };
}

/** For jobs: what is refused for good is logged and counts as done, everything else is tried again. */
export const givingUp = (mailer: Mailer, log: Logger): Mailer => ({
  async send(mail) {
    try {
      await mailer.send(mail);
      counts.mails.add('sent');
      return undefined;
    } catch (error) {
      const isForGood = error instanceof MailFailed && error.isForGood;
      counts.mails.add(isForGood ? 'refused' : 'failed');
      if (!isForGood) throw error;
      log.warn({ messageId: mail.messageId, reason: error.message }, 'a mail was refused for good');
      return error;
    }
  },
});

/** Addresses as objects: as texts they would be parsed, and one could name several. */
const message = ({ bounceTo, ...mail }: Mail) => ({
  ...mail,
  ...(bounceTo !== undefined && { envelope: { from: bounceTo, to: mail.to } }),
  attachments: (mail.attachments ?? []).map((attachment) => ({ ...attachment })),
  to: { name: '', address: mail.to },
  headers: { 'Auto-Submitted': 'auto-generated' },
});

function smtpMailer(url: string, withinMs: number): Mailer {
  const settings = {
    url,
    dnsTimeout: withinMs,
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send(mail) {
      try {
        const { createTransport } = await library();
        await createTransport(settings).sendMail(message(mail));
        return undefined;
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** What a mail server says back often repeats the address, so only its codes are kept. */
function failureOf(error: unknown): MailFailed {
  const { code, command, response, responseCode } = { ...(error as Record<string, unknown>) };
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? ''))?.[1];
  // The only command whose refusal is no answer to a mail: there is no TLS where TLS is demanded.
  const help = code === 'ETLS' && '(TLS is demanded; see SMTP_TLS)';
  const said = [responseCode || code || 'unknown fault', detail, command && `at ${command}`, help].filter(
    Boolean,
  );
  const isRefused = Number(responseCode) >= 500 && (command === 'RCPT TO' || command === 'DATA');
  // 5.7: by policy, such as 'relaying denied'. The operator may put that right.
  const isForGood = isRefused && detail?.startsWith('5.7.') !== true;
  return new MailFailed(`the mail server did not take it: ${said.join(' ')}`, isForGood);
}

function outboxMailer(folder: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await library();
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      const built = await transport.sendMail(message(mail));
      // Links in mails open accounts.
      await makePrivateFolder(folder);
      await writePrivateFile(join(folder, `${newId()}.eml`), built.message);
      return undefined;
    },
  };
}
