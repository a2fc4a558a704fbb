import type {
  AdminBrandDetail,
  StandardMailText,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import type { WithState } from '../../lib/api/console-api.ts';
import { isPreconditionFailed } from '../../lib/api/console-api.ts';
import { Button } from '../../ui/fields/button.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Outcome } from '../../ui/overlays/outcome.tsx';
import { useMay } from '../operator.ts';
import { KeyOf } from '../parts/key.tsx';
import { OnePage } from '../parts/one-page.tsx';
import { PageTop } from '../parts/page-top.tsx';
import { consoleName } from '../shell/messages.ts';
import {
  type BrandDraft,
  changed,
  fieldsOf,
  stillChanged,
  storeDraft,
  storedDraft,
  valuesOf,
} from './brand-draft.ts';
import styles from './brands.module.css';
import { ColoursBox } from './colours-box.tsx';
import { ContrastBox } from './contrast-box.tsx';
import { EditorContext } from './editor.ts';
import { FeesBoxes } from './fees-box.tsx';
import { ImagesBox } from './images-box.tsx';
import { t } from './messages.ts';
import { PreviewBox, type Screen } from './preview-box.tsx';
import { brandQueries, publishBrand } from './queries.ts';
import { FlagsBox, NamesBoxes } from './settings-boxes.tsx';
import { EInvoiceBox } from './words/e-invoice-box.tsx';
import { InvoiceMailsBox } from './words/invoice-mails-box.tsx';
import { MailsBox } from './words/mails-box.tsx';

/** How a brand looks, what it is called and where it answers, changed as a draft and published as a whole. */
export default function BrandPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const brand = useQuery(brandQueries.one(id));
  useTitle(brand.data?.data.name ?? t('title'), consoleName);
  return (
    <OnePage query={brand} list={{ to: '/admin/brands', label: t('title') }}>
      {(read) => <BrandEditor key={id} read={read} />}
    </OnePage>
  );
}

/** The parts of a brand, each with the screen that shows it best. */
const drawnWith = {
  look: 'dashboard',
  pages: 'dashboard',
  names: 'sign-in',
  fees: 'pay',
  mails: 'mail',
} as const satisfies Readonly<Record<string, Screen>>;
type Part = keyof typeof drawnWith;

interface Done {
  readonly tone: 'success' | 'danger' | 'warning';
  readonly words: string;
}

function BrandEditor({ read: { data: brand, state } }: { readonly read: WithState<AdminBrandDetail> }) {
  const published = fieldsOf(brand);
  const [draft, setDraft] = useState<BrandDraft>(() => storedDraft(brand.id));
  const [done, setDone] = useState<Done>();
  const mayChange = useMay('brands:write');
  const changes = stillChanged(published, draft);
  const count = Object.keys(changes).length;
  useEffect(() => storeDraft(brand.id, changes));
  const publish = usePublish(brand, state, () => valuesOf(published, changes), setDone);
  const mayPublish = mayChange && count > 0;
  useSaveKey(mayPublish ? publish.run : undefined);
  const values = valuesOf(published, changes);
  const [part, setPart] = useState<Part>('look');
  const [screen, setScreen] = useState<Screen>('dashboard');
  const [mail, setMail] = useState<StandardMailText['kind']>('receipt');
  const choose = (chosen: Part) => {
    setPart(chosen);
    setScreen(drawnWith[chosen]);
  };
  const contentOf = (of: Part) => {
    switch (of) {
      case 'look':
        return (
          <>
            <ColoursBox />
            <ImagesBox
              brand={brand}
              colours={values.colours}
              onDone={(words) => setDone({ tone: 'success', words })}
            />
          </>
        );
      case 'pages':
        return <FlagsBox />;
      case 'names':
        return <NamesBoxes />;
      case 'fees':
        return <FeesBoxes />;
      case 'mails':
        return (
          <>
            <InvoiceMailsBox />
            <EInvoiceBox />
            <MailsBox kind={mail} onKind={setMail} />
          </>
        );
    }
  };
  return (
    <EditorContext
      value={{
        valueOf: (name) => (name in changes ? changes[name] : published[name]),
        isChanged: (name) => name in changes,
        set: (name, value) => setDraft(changed(published, changes, name, value)),
      }}
    >
      <PageTop
        title={brand.name}
        facts={[
          brand.reference ?? t('noReference'),
          brand.hosts[0] ?? t('noHost'),
          count === 0 ? t('draft.none') : t('draft.count', { count }),
        ]}
        acts={
          mayChange && (
            <>
              <Button disabled={count === 0} onClick={() => setDraft({})}>
                {t('discard')}
              </Button>
              <Button
                variant="primary"
                disabled={count === 0}
                busy={publish.busy}
                busyLabel={t('publish.busy')}
                aria-keyshortcuts="Control+S Meta+S"
                onClick={publish.run}
              >
                {t('publish')} <KeyOf>⌘ S</KeyOf>
              </Button>
            </>
          )
        }
      />
      {done !== undefined && (
        <Outcome key={done.words} tone={done.tone} onClose={() => setDone(undefined)}>
          {done.words}
        </Outcome>
      )}
      <div className={styles.editor}>
        <div className={styles.parts}>
          <Tabs
            label={t('parts')}
            selected={part}
            onSelect={choose}
            tabs={(Object.keys(drawnWith) as Part[]).map((id) => ({
              id,
              label: t(`part.${id}`),
              content: (
                <fieldset className={styles.stack} disabled={!mayChange}>
                  {contentOf(id)}
                </fieldset>
              ),
            }))}
          />
        </div>
        <div className={styles.drawn}>
          <PreviewBox id={brand.id} values={values} screen={screen} onScreen={setScreen} mail={mail} />
          <ContrastBox colours={values.colours} />
        </div>
      </div>
    </EditorContext>
  );
}

/** Publishes; what is refused is told and the draft stays. */
function usePublish(
  { id }: AdminBrandDetail,
  state: string,
  values: () => ReturnType<typeof valuesOf>,
  onDone: (done: Done | undefined) => void,
) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refresh = () => client.refetchQueries({ queryKey: ['brand', String(id)] });
  const run = async () => {
    setBusy(true);
    onDone(undefined);
    try {
      await publishBrand(id, values(), state);
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: ['brands'] })]);
      onDone({ tone: 'success', words: t('publish.done') });
    } catch (error) {
      const isNewer = isPreconditionFailed(error);
      if (isNewer) await refresh();
      onDone(
        isNewer ? { tone: 'warning', words: t('publish.newer') } : { tone: 'danger', words: whyNot(error) },
      );
    } finally {
      setBusy(false);
    }
  };
  return { busy, run: () => void (busy || run()) };
}

const whyNot = (error: unknown): string => {
  const isAnswer = error instanceof ApiError && error.status >= 400;
  const fields = isAnswer ? (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`) : [];
  const why = isAnswer ? [error.message, ...fields].join('; ') : t('publish.unreachable');
  return t('publish.failed', { why: why.endsWith('.') ? why : `${why}.` });
};

/** ⌘S and Ctrl+S publish, in fields too: they are no letters. */
function useSaveKey(act: (() => void) | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return;
      // The browser would offer to save the page, which nobody means here.
      event.preventDefault();
      act?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [act]);
}
