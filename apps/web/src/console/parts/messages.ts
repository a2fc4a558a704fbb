import { defineMessages } from '../../text/catalogue.ts';

export const t = defineMessages({
  more: 'More',
  'more.busy': 'Loading',
  'one.list': 'Go to {list}',
  'failed.role': 'Your role may not see this. An owner of the console changes roles.',
  'failed.server': 'The server has failed over it. What went wrong is in its log.',
  'failed.fault': 'It could not be shown. Trying again may help.',
  'new.busy': 'Making',
  'once.hint': 'It is shown this once. Copy it before you close.',
  'once.copy': 'Copy',
  'once.copied': 'Copied',
  'once.done': 'Done',
});
