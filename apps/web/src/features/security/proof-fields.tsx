import formStyles from '../../ui/fields/form.module.css';
import { PasswordInput } from '../../ui/fields/password-input.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { t } from './messages.ts';

/** What somebody types to show that it is them. */
export interface Proof {
  readonly password: string;
  readonly code: string;
  readonly isRecovery: boolean;
}

export const emptyProof: Proof = { password: '', code: '', isRecovery: false };

export const proofIds = { password: 'proof-password', code: 'proof-code' } as const;
/** Which field a refusal is about. */
export const proofFields = {
  'password.wrongCurrent': proofIds.password,
  'secondFactor.wrongCode': proofIds.code,
  'secondFactor.wrongRecoveryCode': proofIds.code,
  'secondFactor.codeMissing': proofIds.code,
} as const;

/** The code as the calls take it. */
export const codeOf = ({ code, isRecovery }: Proof) =>
  isRecovery ? { recoveryCode: code.trim() } : { otp: code.trim() };

interface ProofFieldsProps {
  readonly proof: Proof;
  readonly onChange: (proof: Proof) => void;
  readonly errorOf: (field: string) => string | undefined;
  readonly needsPassword: boolean;
  readonly needsCode: boolean;
  /** There are recovery codes left to use. */
  readonly mayRecover: boolean;
}

/** Password, and the code of the app or a recovery code. */
export function ProofFields(props: ProofFieldsProps) {
  const { proof, onChange, errorOf, needsPassword, needsCode, mayRecover } = props;
  const { isRecovery } = proof;
  return (
    <>
      {needsPassword && (
        <PasswordInput
          label={t('proof.password')}
          id={proofIds.password}
          name="password"
          autoComplete="current-password"
          required
          tall
          value={proof.password}
          onChange={(event) => onChange({ ...proof, password: event.currentTarget.value })}
          error={errorOf(proofIds.password)}
        />
      )}
      {needsCode && (
        <TextInput
          label={t(isRecovery ? 'proof.recovery' : 'proof.otp')}
          id={proofIds.code}
          name="code"
          type="text"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck="false"
          maxLength={isRecovery ? 20 : 10}
          required
          tall
          value={proof.code}
          onChange={(event) => onChange({ ...proof, code: event.currentTarget.value })}
          error={errorOf(proofIds.code)}
        />
      )}
      {needsCode && mayRecover && (
        <p className={formStyles.links}>
          <button type="button" onClick={() => onChange({ ...proof, code: '', isRecovery: !isRecovery })}>
            {t(isRecovery ? 'proof.useOtp' : 'proof.useRecovery')}
          </button>
        </p>
      )}
    </>
  );
}
