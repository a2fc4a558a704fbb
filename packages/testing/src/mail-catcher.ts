import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived: its envelope and its parsed content. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** It came by TLS. */
  readonly wasEncrypted: boolean;
  /** Parsed headers, `text`, `html` and attachments. */
  readonly content: Email;
  /** The message as sent. */
  readonly raw: string;
}

/** An SMTP server on the loopback interface that keeps what it gets. */
export interface MailCatcher {
  /** SMTP_URL of the catcher. */
  readonly url: string;
  /** In order of arrival. */
  readonly received: readonly ReceivedMail[];
  /** Refuses the next mails: for now (451) after their content, or else with this code at their recipient. */
  refuseNext(count: number, atRecipient?: { readonly code: number; readonly text: string }): void;
  /** How many mails it refused. */
  readonly refused: number;
  /** The first mail that arrived for this address, or that arrives within `waitMs`. @throws {Error} when none does */
  waitFor(recipient: string, waitMs?: number): Promise<ReceivedMail>;
  clear(): void;
  stop(): Promise<void>;
}

/**
 * Starts a mail catcher on a free port.
 * @param options.tls offers STARTTLS with this certificate; without, it offers none
 */
export async function catchMail(
  options: { readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<MailCatcher> {
  const received: ReceivedMail[] = [];
  const watchers = new Set<() => void>();
  let toRefuse = 0;
  let refused = 0;
  let recipientAnswer: { readonly code: number; readonly text: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    ...(options.tls ?? { disabledCommands: ['STARTTLS'] }),
    onRcptTo(_address, _session, done) {
      if (recipientAnswer === undefined || toRefuse === 0) return done();
      toRefuse -= 1;
      refused += 1;
      const { code, text } = recipientAnswer;
      done(Object.assign(new Error(text), { responseCode: code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (toRefuse > 0) {
          toRefuse -= 1;
          refused += 1;
          done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          return;
        }
        const raw = Buffer.concat(chunks);
        PostalMime.parse(raw).then((content) => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            wasEncrypted: session.secure,
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            content,
            raw: raw.toString('utf8'),
          });
          for (const watcher of watchers) watcher();
          done();
        }, done);
      });
    },
  });
  server.on('error', () => undefined); // a client that hangs up
  const listening = server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => listening.once('listening', resolve));
  const address = listening.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const find = (recipient: string) => received.find(({ to }) => to.includes(recipient));
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    get refused() {
      return refused;
    },
    refuseNext(count, atRecipient) {
      toRefuse = count;
      recipientAnswer = atRecipient;
    },
    waitFor(recipient, waitMs = 5_000) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const mail = find(recipient);
          if (mail) settle(() => resolve(mail));
        };
        const settle = (act: () => void) => {
          clearTimeout(timer);
          watchers.delete(look);
          act();
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`no mail for ${recipient} within ${waitMs} ms`))),
          waitMs,
        );
        watchers.add(look);
        look();
      });
    },
    clear() {
      received.length = 0;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
