import { useState } from 'react';
import { t } from '../../text/common.ts';
import { Button } from './button.tsx';
import { TextInput, type TextInputProps } from './text-input.tsx';

/** A password with a button that shows and hides what was typed. Give it its `autoComplete` token. */
export function PasswordInput(props: Omit<TextInputProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck="false"
      end={
        <Button
          variant="quiet"
          size="small"
          aria-pressed={shown}
          aria-label={t('password.showLabel')}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'password.hide' : 'password.show')}
        </Button>
      }
    />
  );
}
