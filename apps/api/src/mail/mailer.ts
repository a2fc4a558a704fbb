import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@counterfoil/domain/ids.ts';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';

export interface Mail {
  readonly to: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same mail sent again carries the same id, so that a mailbox can drop the second. */
  readonly messageId: string;
}

export interface Mailer {
  /** @throws {Error} when the mail server does not take it; the job then tries again later */
  send(mail: Mail): Promise<void>;
}

const SMTP_WITHIN_MS = 20_000;

/** Sends through `SMTP_URL`; without one writes `.eml` files into `DATA_DIR/outbox`. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'dataDir'>): Mailer {
  return config.smtpUrl === undefined
    ? outboxMailer(join(config.dataDir, 'outbox'))
    : smtpMailer(config.smtpUrl);
}

function smtpMailer(url: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_WITHIN_MS,
    greetingTimeout: SMTP_WITHIN_MS,
    socketTimeout: SMTP_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
  };
}

function outboxMailer(folder: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const built = await transport.sendMail(mail);
      await mkdir(folder, { recursive: true });
      const path = join(folder, `${newId()}.eml`);
      // A reader never sees half a mail.
      await writeFile(`${path}.part`, built.message);
      await rename(`${path}.part`, path);
    },
  };
}
