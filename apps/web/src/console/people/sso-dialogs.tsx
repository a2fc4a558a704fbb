import type { OperatorSso, OperatorSsoTested } from '@counterfoil/contract/operator/access/operator-sso.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { StatusPill } from '../../ui/data/status-pill.tsx';
import { Button } from '../../ui/fields/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useOperator } from '../operator.ts';
import parts from '../parts/parts.module.css';
import { useCode, WhoseField } from './fields.tsx';
import { t } from './sso-messages.ts';
import { removeSso, setSso } from './sso-queries.ts';

interface SsoDialogProps {
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Sets single sign-on of a reseller or of every reseller. @param row undefined: for one that has none */
export function SsoDialog({
  row,
  onDone,
  onClose,
}: SsoDialogProps & { readonly row: OperatorSso | undefined }) {
  const { resellerId: own } = useOperator();
  const [resellerId, setWhose] = useState(row === undefined ? own : row.resellerId);
  const [given, setGiven] = useState({
    name: row?.name ?? '',
    issuer: row?.issuer ?? '',
    clientId: row?.clientId ?? '',
    secret: '',
  });
  const [isDemanded, setDemanded] = useState(row?.isDemanded ?? false);
  const { code, field, isWhole } = useCode();
  const [name, issuer, clientId] = [given.name.trim(), given.issuer.trim(), given.clientId.trim()];
  const isReady = isWhole && name !== '' && issuer !== '' && clientId !== '';
  const text = (key: keyof typeof given) => ({
    name: key,
    value: given[key],
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setGiven((before) => ({ ...before, [key]: value })),
  });
  return (
    <FormDialog
      title={row === undefined ? t('sso.add') : t('sso.change.name', { name: row.name })}
      discard={common('action.cancel')}
      act={t('sso.save')}
      busyAct={t('sso.saving')}
      disabled={!isReady}
      onClose={onClose}
      onSubmit={async () => {
        if (!isReady) return;
        const clientSecret = given.secret === '' ? undefined : given.secret;
        await setSso({ resellerId, name, issuer, clientId, clientSecret, isDemanded, code });
        await onDone(t('sso.saved', { name }));
      }}
    >
      {row === undefined && <WhoseField value={resellerId} onChange={setWhose} />}
      <TextInput
        label={t('sso.name')}
        hint={t('sso.nameHint')}
        type="text"
        required
        maxLength={100}
        {...text('name')}
      />
      <TextInput
        label={t('sso.issuer')}
        hint={t('sso.issuerHint')}
        type="url"
        required
        maxLength={500}
        {...text('issuer')}
      />
      <TextInput label={t('sso.client')} type="text" required maxLength={500} {...text('clientId')} />
      <PasswordInput
        label={t('sso.secret')}
        hint={row?.hasSecret === true ? t('sso.secretKept') : t('sso.secretNone')}
        {...text('secret')}
        autoComplete="new-password"
      />
      <Checkbox labelShown label={t('sso.demand')} checked={isDemanded} onChange={setDemanded} />
      {isDemanded && <p>{t('sso.demandHint')}</p>}
      {field}
    </FormDialog>
  );
}

/** Takes single sign-on away. */
export function RemoveSsoDialog({ row, onDone, onClose }: SsoDialogProps & { readonly row: OperatorSso }) {
  const { code, field, isWhole } = useCode();
  const { name, resellerId } = row;
  return (
    <FormDialog
      title={t('sso.remove.name', { name })}
      discard={common('action.cancel')}
      act={t('sso.remove')}
      busyAct={t('sso.remove.busy')}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (!isWhole) return;
        await removeSso(resellerId, code);
        await onDone(t('sso.removed', { name }));
      }}
    >
      <p>{t('sso.remove.text')}</p>
      {field}
    </FormDialog>
  );
}

interface SsoTestDialogProps {
  readonly name: string;
  readonly tested: OperatorSsoTested;
  readonly onClose: () => void;
}

/** What a test has found, step by step. */
export const SsoTestDialog = ({ name, tested, onClose }: SsoTestDialogProps) => (
  <Dialog
    title={t('sso.test.title', { name })}
    open
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('sso.close')}</Button>}
  >
    <ul className={parts.lines} aria-label={t('sso.test.title', { name })}>
      {tested.steps.map(({ step, isGood, told }) => (
        <li key={step}>
          <div className={parts.lineText}>
            <b className={parts.strong}>{t(`sso.step.${step}`)}</b>
            {told !== null && <p>{told}</p>}
          </div>
          <div className={parts.lineEnd}>
            <StatusPill tone={isGood ? 'success' : 'danger'} icon={isGood ? 'check' : 'alert'}>
              {t(isGood ? 'sso.step.good' : 'sso.step.bad')}
            </StatusPill>
          </div>
        </li>
      ))}
    </ul>
  </Dialog>
);
