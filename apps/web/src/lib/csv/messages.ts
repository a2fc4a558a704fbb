import { defineMessages } from '../../text/catalogue.ts';

export const t = defineMessages({
  options: 'CSV options',
  mark: 'For Excel (byte order mark)',
  markHint: 'Excel needs the mark to show letters such as é or ł. Some other programs stumble over it.',
});
