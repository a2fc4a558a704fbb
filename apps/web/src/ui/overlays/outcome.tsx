import { type ReactNode, useEffect, useRef } from 'react';
import { Banner } from './banner.tsx';

interface OutcomeProps {
  readonly tone: 'success' | 'danger' | 'info' | 'warning';
  readonly children: ReactNode;
  readonly onClose?: (() => void) | undefined;
}

/** What came of a form. It takes the focus: the button that was pressed is gone or switched off. */
export function Outcome({ tone, children, onClose }: OutcomeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1}>
      <Banner tone={tone} onClose={onClose}>
        {children}
      </Banner>
    </div>
  );
}
