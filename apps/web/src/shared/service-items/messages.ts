import { defineMessages } from '../../text/catalogue.ts';

/** Texts around a service item that two pages share; labels and buttons stand in the specification (portal §2). */
export const t = defineMessages({
  service: 'Service',
  description: 'Description',
  costCentre: 'Cost Centre',
  edit: 'Edit',
  'edit.item': 'Edit {item}',
  discard: 'Discard',
  save: 'Save',
  saving: 'Saving…',
});
