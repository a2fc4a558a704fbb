import type {
  BankEntryCandidate,
  BankEntryDetail,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { reportFailure } from '../../../lib/error-banner.ts';
import { formatDay } from '../../../text/format.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useTitle } from '../../../ui/layout/title.ts';
import { whoActed } from '../../audit/words.ts';
import { useMay } from '../../operator.ts';
import { Box } from '../../parts/box.tsx';
import { Done } from '../../parts/done.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { KeyOf } from '../../parts/key.tsx';
import { dayAndTime } from '../../parts/moments.ts';
import { NoteDialog } from '../../parts/note-dialog.tsx';
import { OnePage } from '../../parts/one-page.tsx';
import { PageTop } from '../../parts/page-top.tsx';
import parts from '../../parts/parts.module.css';
import { consoleName } from '../../shell/messages.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { BookDialog, bookingOf } from './book-dialog.tsx';
import { Candidates } from './candidates.tsx';
import { EntryState, partyOf, signedAmount } from './entry-words.tsx';
import { t } from './messages.ts';
import { OtherDialog } from './other-dialog.tsx';
import { book, dismiss, entryQueries, reopen } from './queries.ts';

/** One entry of a bank statement: what may be meant by it, and what is decided. */
export default function EntryPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const entry = useQuery(entryQueries.one(id));
  useTitle(t('title'), consoleName);
  return (
    <OnePage query={entry} list={{ to: '/admin/payments/bank', label: t('title') }}>
      {(data) => <Entry key={id} entry={data} />}
    </OnePage>
  );
}

type Asked =
  | { readonly is: 'book'; readonly candidate: BankEntryCandidate }
  | { readonly is: 'other' | 'dismiss' | 'reopen' };

function Entry({ entry }: { readonly entry: BankEntryDetail }) {
  const { id, state, sign, bookedOn, candidates } = entry;
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const [done, setDone] = useState<string>();
  const [isBooking, setBooking] = useState(false);
  const isOpen = state === 'suggested' || state === 'unmatched';
  const mayDecide = useMay('payments:write');
  const mayReopen = mayDecide && !isOpen && !(state === 'booked' && sign === 'debit');
  const finish = async (words: string) => {
    await client.invalidateQueries({ queryKey: ['bankEntry', id] });
    await client.invalidateQueries({ queryKey: ['today'] });
    setAsked(undefined);
    setDone(words);
  };
  /** What fits is booked at once; else a person sees first what it comes to. */
  const choose = async (candidate: BankEntryCandidate) => {
    if (!candidate.fits || candidate.paymentId !== null) return setAsked({ is: 'book', candidate });
    if (isBooking) return undefined;
    setBooking(true);
    try {
      await book(id, bookingOf(candidate));
      await finish(t('book.done'));
    } catch (error) {
      reportFailure(error);
    } finally {
      setBooking(false);
    }
    return undefined;
  };
  const [first] = candidates;
  const act = (is: 'other' | 'dismiss') => () => setAsked({ is });
  const canDecide = mayDecide && isOpen;
  useKeys({
    // None of the keys that lead to a place after G: those would book on the way there.
    d: canDecide && first !== undefined ? () => void choose(first) : undefined,
    i: canDecide && sign === 'credit' ? act('other') : undefined,
    x: canDecide ? act('dismiss') : undefined,
  });
  const onDone = () => finish(t('book.done'));
  const onClose = () => setAsked(undefined);
  return (
    <>
      <PageTop
        title={t(sign === 'credit' ? 'entry.in' : 'entry.out', {
          amount: signedAmount(entry).replace(/^[-−]/, ''),
          name: partyOf(entry),
        })}
        facts={[formatDay(bookedOn), <EntryState key="state" state={state} />]}
        acts={
          <>
            {canDecide && sign === 'credit' && (
              <Button aria-keyshortcuts="i" onClick={act('other')}>
                {t('other')} <KeyOf>I</KeyOf>
              </Button>
            )}
            {canDecide && (
              <Button aria-keyshortcuts="x" onClick={act('dismiss')}>
                {t('dismiss')} <KeyOf>X</KeyOf>
              </Button>
            )}
            {mayReopen && <Button onClick={() => setAsked({ is: 'reopen' })}>{t('reopen')}</Button>}
          </>
        }
      />
      <Done words={done} onClose={() => setDone(undefined)} />
      <div className={parts.split}>
        <div className={parts.stack}>
          {isOpen && <Reasons entry={entry} />}
          {isOpen && (
            <Candidates
              entry={entry}
              isBooking={isBooking}
              onBook={canDecide ? (one) => void choose(one) : undefined}
            />
          )}
          {!isOpen && <Decision entry={entry} />}
        </div>
        <FactsOf entry={entry} />
      </div>
      {asked?.is === 'book' && (
        <BookDialog entry={entry} candidate={asked.candidate} onDone={onDone} onClose={onClose} />
      )}
      {asked?.is === 'other' && <OtherDialog entry={entry} onDone={onDone} onClose={onClose} />}
      {asked?.is === 'dismiss' && (
        <NoteDialog
          title={t('dismiss.title')}
          text={t('dismiss.text')}
          label={t('dismiss.note')}
          act={t('dismiss')}
          busyAct={t('dismiss.busy')}
          onClose={onClose}
          onSubmit={async (note) => {
            await dismiss(id, note);
            await finish(t('dismiss.done'));
          }}
        />
      )}
      {asked?.is === 'reopen' && (
        <NoteDialog
          title={t('reopen.title')}
          text={t(state === 'booked' ? 'reopen.booked' : 'reopen.dismissed')}
          label={t('reopen.note')}
          act={t('reopen')}
          busyAct={t('reopen.busy')}
          onClose={onClose}
          onSubmit={async (note) => {
            await reopen(id, note);
            await finish(t('reopen.done'));
          }}
        />
      )}
    </>
  );
}

const Reasons = ({ entry: { reasons } }: { readonly entry: BankEntryDetail }) => (
  <Box title={t('why.title')}>
    {reasons.map((reason) => (
      <p key={reason}>{t(`reason.${reason}`)}</p>
    ))}
  </Box>
);

/** Who decided it, when, and to whom it was booked. */
function Decision({ entry }: { readonly entry: BankEntryDetail }) {
  const { customer, customerId, decidedBy, decidedAt, note } = entry;
  const facts: Fact[] = [];
  if (customer !== null)
    facts.push([
      t('facts.customer'),
      <Link key="customer" to={`/admin/customers/${customerId}` as never} dir="auto">
        {customer}
      </Link>,
    ]);
  const when = decidedAt === null ? [] : [dayAndTime(decidedAt)];
  const who = decidedBy === null ? t('facts.byItself') : whoActed({ actor: decidedBy, user: null });
  facts.push([t('facts.decided'), [who, ...when].join(', ')]);
  if (note !== '') facts.push([t('facts.note'), note]);
  return <Facts title={t(`state.${entry.state}`)} facts={facts} />;
}

function FactsOf({ entry }: { readonly entry: BankEntryDetail }) {
  const {
    remittance,
    partyAccount,
    creditorReference,
    endToEndId,
    bankReference,
    account,
    fileName,
    importId,
  } = entry;
  const said: readonly (readonly [Parameters<typeof t>[0], string])[] = [
    ['facts.text', remittance.replaceAll(/\s+/g, ' ')],
    ['facts.reference', creditorReference],
    ['facts.endToEnd', endToEndId],
    ['facts.party', partyAccount],
    ['facts.bank', bankReference],
    ['facts.account', account],
  ];
  const file: Fact = [
    t('facts.file'),
    fileName === null ? (
      '–'
    ) : (
      <Link key="file" to={`/admin/imports/${importId}` as never} dir="auto">
        {fileName}
      </Link>
    ),
  ];
  const facts = said.filter(([, value]) => value !== '').map(([term, value]): Fact => [t(term), value]);
  return <Facts title={t('facts.title')} facts={[...facts, file]} />;
}
