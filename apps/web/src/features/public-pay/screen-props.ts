import type { Ref } from 'react';
import type { PayView } from './pay-view.ts';

/** What a screen of the page is given. */
export interface ScreenProps {
  readonly view: PayView;
  /** The brand's word for an invoice. */
  readonly label: string;
  readonly headingRef: Ref<HTMLHeadingElement>;
  readonly onRetry: () => void;
  readonly onContinue: () => void;
  readonly onStartOver: () => void;
}
