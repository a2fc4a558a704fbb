import { defineMessages } from '../../text/catalogue.ts';

export const t = defineMessages({
  more: 'More',
  'more.busy': 'Loading',
  'new.busy': 'Making',
});
