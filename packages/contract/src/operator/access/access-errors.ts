/** Refusals about API keys, operators and gateway accounts. */
export const accessErrors = {
  'apiKey.refused': { status: 401, text: 'This API key is not valid' },
  'apiKey.scope': { status: 403, text: 'This API key may not do this' },
  'operator.refused': {
    status: 401,
    text: 'E-mail address, password or code is not right. A code works once, for about a minute',
  },
  'operator.signInNeeded': { status: 401, text: 'Please sign in to the console' },
  'apiKey.notFound': { status: 404, text: 'This API key is not known' },
  'apiKey.ended': { status: 409, text: 'This API key has ended' },
  'apiKey.nameTaken': { status: 409, text: 'There is, or was, an API key of this name' },
  'apiKey.expiryPast': { status: 400, text: 'A key has to run out in the future' },
  'operator.notFound': { status: 404, text: 'This operator is not known' },
  'operator.notSet': { status: 400, text: 'This operator cannot be set so' },
  'operator.self': {
    status: 409,
    text: 'Owners do not change, reset or shut out themselves. Please ask another owner',
  },
  'operator.role': { status: 403, text: 'Your role may not do this' },
  'operator.invitationOver': {
    status: 410,
    text: 'This invitation is not valid any more. Please ask for a new one',
  },
  'operator.resetOver': {
    status: 410,
    text: 'This link is not valid any more. Please ask for a new one on the sign-in page',
  },
  'operator.codeNeeded': { status: 403, text: 'Please enter the newest code of your authenticator app' },
  'operator.passkeyRefused': {
    status: 401,
    text: 'This passkey does not open the console here. Please sign in another way, and add it again',
  },
  'operator.passkeyCopied': {
    status: 401,
    text: 'This passkey was refused because it may have been copied. Please sign in another way, and replace it',
  },
  'operator.ssoDemanded': { status: 403, text: 'Please sign in by single sign-on: it is demanded here' },
  'operator.ssoNotFound': { status: 404, text: 'There is no single sign-on here' },
  'operator.ssoNotSet': { status: 400, text: 'Single sign-on cannot be set so' },
  'operator.ssoUntried': {
    status: 409,
    text: 'Please save it, sign in by it once, and demand it then: else everybody might be locked out',
  },
  'operator.lastWayIn': {
    status: 409,
    text: 'This is your only way in beside single sign-on. Please add another one first',
  },
  'operator.sessionNotFound': { status: 404, text: 'This session has ended already' },
  'gateway.notFound': { status: 404, text: 'This gateway or account is not known' },
  'gateway.refused': { status: 400, text: 'This gateway cannot be set so' },
  'gateway.liveKeys': {
    status: 409,
    text: 'These keys are live: nothing was sent. Please give test keys for this run',
  },
  'gateway.unknownKeys': {
    status: 409,
    text: 'Whether these are test keys cannot be told: nothing was sent. Please confirm that they move no money',
  },
  'gateway.verifying': { status: 409, text: 'A run of this account goes on already' },
} as const;
