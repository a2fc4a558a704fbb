import type { MailEvent, SentMailWhole } from '@counterfoil/contract/operator/running/mails.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { formatMoment } from '../../lib/values/moment.ts';
import { Button } from '../../ui/fields/button.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useMay } from '../operator.ts';
import { Box, Loaded } from '../parts/box.tsx';
import { Done } from '../parts/done.tsx';
import { Facts } from '../parts/facts.tsx';
import { NoteDialog } from '../parts/note-dialog.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import parts from '../parts/parts.module.css';
import { consoleName } from '../shell/messages.ts';
import { MailState } from './mail-state.tsx';
import styles from './mails.module.css';
import { t } from './messages.ts';
import { dismiss, mailQueries } from './queries.ts';
import { ResendDialog } from './resend-dialog.tsx';

/** One mail: what it says, what became of it, and sending it again. */
export default function MailPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const mail = useQuery(mailQueries.one(id));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={mail} list={{ to: '/admin/mails', label: t('title') }}>
      {(data) => <Mail key={id} mail={data} />}
    </OnePage>
  );
}

const isUndelivered = ({ state }: SentMailWhole): boolean =>
  state === 'failing' || state === 'refused' || state === 'givenUp';

function Mail({ mail }: { readonly mail: SentMailWhole }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'resend' | 'dismiss'>();
  const [done, setDone] = useState<string>();
  const mayChange = useMay('mails:write');
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['mail', mail.id] });
    await client.invalidateQueries({ queryKey: ['today'] });
    setAsked(undefined);
    setDone(words);
  };
  const { day, time } = formatMoment(mail.createdAt, 'UTC');
  return (
    <>
      <PageTop
        title={mail.subject}
        facts={[mail.address, `${day} ${time}`, <MailState key="state" state={mail.state} />]}
        acts={
          mayChange && (
            <>
              {mail.state !== 'waiting' && <Button onClick={() => setAsked('resend')}>{t('resend')}</Button>}
              {isUndelivered(mail) && <Button onClick={() => setAsked('dismiss')}>{t('dismiss')}</Button>}
            </>
          )
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <div className={parts.split}>
        <Preview mail={mail} />
        <div className={parts.stack}>
          <FactsOf mail={mail} />
          <Box title={t('story.title')} flush>
            <ol className={parts.history}>
              {mail.story.map((event, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries are never taken out or put in between
                <Entry key={at} event={event} />
              ))}
            </ol>
          </Box>
        </div>
      </div>
      {asked === 'resend' && (
        <ResendDialog
          mail={mail}
          onClose={() => setAsked(undefined)}
          onDone={(address) => finish(t('resend.done', { address }))}
        />
      )}
      {asked === 'dismiss' && (
        <NoteDialog
          title={t('dismiss.title')}
          text={t('dismiss.text')}
          label={t('dismiss.note')}
          act={t('dismiss.act')}
          busyAct={t('dismiss.busy')}
          onClose={() => setAsked(undefined)}
          onSubmit={async (note) => {
            await dismiss(mail.id, note);
            await finish(t('dismiss.done'));
          }}
        />
      )}
    </>
  );
}

/** The mail as its reader saw it, in a frame of its own, or its text. */
function Preview({ mail }: { readonly mail: SentMailWhole }) {
  const [asText, setAsText] = useState(false);
  const page = useQuery(mailQueries.page(mail.id));
  return (
    <Box
      title={t('preview.title')}
      flush
      aside={
        <fieldset className={styles.views}>
          <legend>{t('preview.how')}</legend>
          <Button size="small" aria-pressed={!asText} onClick={() => setAsText(false)}>
            {t('preview.html')}
          </Button>
          <Button size="small" aria-pressed={asText} onClick={() => setAsText(true)}>
            {t('preview.text')}
          </Button>
        </fieldset>
      }
      foot={t('preview.hidden')}
    >
      {asText ? (
        <pre className={styles.text} dir="auto">
          {mail.text}
        </pre>
      ) : (
        <Loaded query={page} height="20rem">
          {(address) => (
            <iframe className={styles.frame} sandbox="" src={address} title={t('preview.title')} />
          )}
        </Loaded>
      )}
    </Box>
  );
}

function FactsOf({ mail }: { readonly mail: SentMailWhole }) {
  const facts: readonly (readonly [Parameters<typeof t>[0], ReactNode])[] = [
    ['facts.to', mail.address],
    ['facts.kind', t(`kind.${mail.kind}`)],
    [
      'facts.customer',
      mail.customerId === null ? (
        t('facts.none')
      ) : (
        <Link key="customer" to={`/admin/customers/${mail.customerId}` as never} dir="auto">
          {mail.customer}
        </Link>
      ),
    ],
    ...(mail.problem === null ? [] : ([['facts.problem', mail.problem]] as const)),
  ];
  return <Facts title={t('facts.title')} facts={facts.map(([term, value]) => [t(term), value])} />;
}

function Entry({ event }: { readonly event: MailEvent }) {
  const { day, time } = formatMoment(event.at, 'UTC');
  const more = [
    event.to !== null && t('story.to', { address: event.to }),
    event.by !== null && t('story.by', { name: event.by }),
    event.reason,
    event.note,
  ].filter((part): part is string => typeof part === 'string');
  return (
    <li>
      <time dateTime={event.at}>
        {day} {time}
      </time>
      <div>
        {t(`story.${event.outcome}`)}
        {more.length > 0 && <span className={parts.more}>{more.join(' · ')}</span>}
      </div>
    </li>
  );
}
