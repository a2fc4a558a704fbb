/** Refusals of the calls about mails, events of gateways, jobs and what is the installation's; a part of `errors.ts`. */
export const deskErrors = {
  'installation.only': {
    status: 403,
    text: 'This is for keys and operators of the whole installation, not for those of one reseller',
  },
  'need.until': {
    status: 400,
    text: 'A thing is put off until a moment within the next 31 days',
  },
  'mail.notFound': { status: 404, text: 'This mail is not known' },
  'mail.underWay': { status: 409, text: 'This mail is on its way already' },
  'mail.addressFixed': {
    status: 409,
    text: 'This mail goes to the address that is on file for the user or customer, and to no other',
  },
  'mail.noAddress': { status: 400, text: 'This is no e-mail address' },
  'mail.ended': { status: 409, text: 'This mail was sent or dismissed already' },
  'webhookEvent.notFound': { status: 404, text: 'This event is not known' },
  'webhookEvent.ended': { status: 409, text: 'This event was followed up or dismissed already' },
  'webhookEndpoint.notFound': { status: 404, text: 'This endpoint of webhooks is not known' },
  'webhookEndpoint.address': { status: 400, text: 'Messages cannot be sent to this address' },
  'webhookEndpoint.addressTaken': { status: 409, text: 'There is an endpoint with this address already' },
  'webhookEndpoint.tooMany': {
    status: 409,
    text: 'There are twenty endpoints already. Please delete one first',
  },
  'webhookEndpoint.notEnabled': {
    status: 409,
    text: 'This endpoint is not enabled, so nothing can be sent to it',
  },
  'webhookDelivery.notFound': { status: 404, text: 'This message was not sent to this endpoint' },
  'job.notFound': { status: 404, text: 'This job is not known, or it has ended' },
  'job.running': { status: 409, text: 'This job is running just now' },
  'round.notFound': { status: 404, text: 'There is no such background round' },
} as const;
