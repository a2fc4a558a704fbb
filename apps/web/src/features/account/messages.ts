import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the Change Password page; those in the specification's quotes stand verbatim (portal §2, §5, §8). */
export const t = defineMessages({
  title: 'Change Password',
  'made.title': 'Please choose a password of your own.',
  'made.text': 'The one you signed in with was made for you and works until {day}, {time}.',
  old: 'Current Password',
  new: 'New Password',
  confirm: 'Confirm New Password',
  rule: 'At least {least} characters',
  submit: 'Change Password',
  busy: 'Changing…',
  success: 'Your password was successfully updated',
  others: 'You stay signed in here. Everywhere else you have been signed out.',
  strength: 'Password strength',
});
