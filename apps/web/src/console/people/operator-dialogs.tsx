import type {
  OperatorInvited,
  OperatorShown,
} from '@counterfoil/contract/operator/access/operator-people.ts';
import { operatorRoles } from '@counterfoil/contract/operator/access/operators.ts';
import { isMailAddress } from '@counterfoil/domain/text/mail-address.ts';
import { useState } from 'react';
import { FormDialog } from '../../shared/dialogs/form-dialog.tsx';
import { t as common } from '../../text/common.ts';
import { Select } from '../../ui/fields/select.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { useOperator } from '../operator.ts';
import { useCode, WhoseField } from './fields.tsx';
import { t } from './messages.ts';
import { addOperator, changeOperator, enableOperator, inviteAgain, resetOperator } from './queries.ts';

interface DialogProps {
  readonly onInvited: (made: OperatorInvited) => Promise<void>;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Makes an operator, or changes name, role and reseller of one. */
export function OperatorDialog({
  row,
  onInvited,
  onDone,
  onClose,
}: DialogProps & { readonly row: OperatorShown | undefined }) {
  const { resellerId: own, reseller } = useOperator();
  const [email, setEmail] = useState('');
  const [displayName, setName] = useState(row?.displayName ?? '');
  const [role, setRole] = useState<OperatorShown['role']>(row?.role ?? 'support');
  const [resellerId, setWhose] = useState(row === undefined ? (own ?? reseller?.id ?? null) : row.resellerId);
  const { code, field, isWhole } = useCode();
  const isNew = row === undefined;
  const isReady = isWhole && displayName.trim() !== '' && (!isNew || isMailAddress(email.trim()));
  const act = isNew ? 'operator.add' : 'operator.change';
  return (
    <FormDialog
      title={isNew ? t('operator.add') : t('operator.change.name', { name: row.displayName })}
      discard={common('action.cancel')}
      act={t(`${act}.act`)}
      busyAct={t(`${act}.busy`)}
      disabled={!isReady}
      onClose={onClose}
      onSubmit={async () => {
        if (!isReady) return;
        const values = { displayName: displayName.trim(), role, resellerId, code };
        if (isNew) return onInvited(await addOperator({ email: email.trim(), ...values }));
        await changeOperator(row.id, values);
        await onDone(t('operator.change.done', { name: values.displayName }));
      }}
    >
      {isNew && (
        <TextInput
          label={t('operator.email')}
          type="email"
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          maxLength={254}
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('operator.name')}
        type="text"
        name="name"
        autoComplete="off"
        maxLength={200}
        required
        value={displayName}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('operator.role')}
        value={role}
        onChange={({ currentTarget }) =>
          setRole(operatorRoles.find((one) => one === currentTarget.value) ?? role)
        }
      >
        {operatorRoles.map((one) => (
          <option key={one} value={one}>
            {t(`role.${one}`)}
          </option>
        ))}
      </Select>
      <WhoseField value={resellerId} onChange={setWhose} />
      {field}
    </FormDialog>
  );
}

/** Lets an operator in again, or invites them: each wants a code. */
export function CodeDialog({
  row,
  act,
  onInvited,
  onDone,
  onClose,
}: DialogProps & { readonly row: OperatorShown; readonly act: 'enable' | 'invite' | 'reset' }) {
  const { code, field, isWhole } = useCode();
  const { id, displayName: name } = row;
  return (
    <FormDialog
      title={t(`operator.${act}.name`, { name })}
      discard={common('action.cancel')}
      act={t(`operator.${act}`)}
      busyAct={t(`operator.${act}.busy`)}
      disabled={!isWhole}
      onClose={onClose}
      onSubmit={async () => {
        if (!isWhole) return;
        if (act === 'reset') return onInvited(await resetOperator(id, code));
        if (act === 'invite') return onInvited(await inviteAgain(id, code));
        await enableOperator(id, code);
        await onDone(t('operator.enable.done', { name }));
      }}
    >
      {act !== 'enable' && <p>{t(`operator.${act}.text`)}</p>}
      {field}
    </FormDialog>
  );
}
