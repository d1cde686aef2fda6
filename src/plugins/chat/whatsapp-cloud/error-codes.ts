/** The error codes of WhatsApp and of the Graph API, and what each means for an account, a person or a message. */
import { define, type KnownError } from './known-error.ts'

const account = define('account')
const recipient = define('recipient')
const template = define('template')
const message = define('message')

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const invalidToken = account(
  'INVALID_CREDENTIALS',
  'WhatsApp rejects the access token: it has expired, or it was revoked. Enter a new permanent token of a system user.',
)
const permissionMissing = account(
  'PERMISSION_MISSING',
  'The access token lacks a permission. Give it whatsapp_business_messaging and whatsapp_business_management for this account.',
)
const unknownNumber = account(
  'INVALID_CREDENTIALS',
  'WhatsApp does not know the phone number id or the business account id, or the token has no access to them. Check all three.',
)
export const wrongSecret = account(
  'INVALID_CREDENTIALS',
  'The app secret is not that of the app that the access token belongs to. Copy it from App settings > Basic.',
)
const notRegistered = account(
  'INVALID_CREDENTIALS',
  'The phone number is not registered for the Cloud API. Register it in the WhatsApp Manager, then test the account.',
)
const appRate = account('RATE_LIMITED', 'WhatsApp limits the requests of this app.', {
  retryable: true,
  waitMs: minute,
})
const restricted = account(
  'ACCOUNT_RESTRICTED',
  'WhatsApp has restricted the account for a violation of its policies. Read the reason in the WhatsApp Manager and appeal there.',
)
const payment = account(
  'PAYMENT_REQUIRED',
  'WhatsApp has no valid payment method for this account. Add one in the billing settings of Meta Business.',
)
const unavailable = account(
  'PROVIDER_UNAVAILABLE',
  'WhatsApp is temporarily unavailable. The message was not sent.',
  {
    retryable: true,
    waitMs: 5 * second,
  },
)
const uncertain = account('PROVIDER_UNAVAILABLE', 'WhatsApp reported an internal error.', {
  isUncertain: true,
})
const rejected = message('MESSAGE_REJECTED', 'WhatsApp rejects the message.', { hasDetails: true })
const templateMismatch = template(
  'TEMPLATE_MISMATCH',
  'The values do not fit the approved template. Synchronize the template and compare its placeholders.',
  { hasDetails: true },
)
const templateInvalid = template('TEMPLATE_MISMATCH', 'WhatsApp refuses the template as it is written.', {
  hasDetails: true,
})
const groups = message('UNSUPPORTED', 'The program sends no messages to groups.')
const media = message('MEDIA_REJECTED', 'WhatsApp could not process the file. Send it in another format.', {
  hasDetails: true,
})

/** Codes with a meaning of their own. `toKnownError` covers ranges and all other codes. */
const knownErrors: Record<number, KnownError> = {
  0: invalidToken,
  1: uncertain,
  2: unavailable,
  3: permissionMissing,
  4: appRate,
  10: permissionMissing,
  17: appRate,
  32: appRate,
  33: unknownNumber,
  100: rejected,
  102: invalidToken,
  104: invalidToken,
  190: invalidToken,
  341: appRate,
  368: restricted,
  400: rejected,
  463: invalidToken,
  467: invalidToken,
  613: appRate,
  803: unknownNumber,
  80007: account('RATE_LIMITED', 'WhatsApp limits the requests of this business.', {
    retryable: true,
    waitMs: minute,
  }),
  80008: account('RATE_LIMITED', 'WhatsApp limits the template requests of this business. Try again later.', {
    retryable: true,
    waitMs: minute,
  }),
  130403: recipient('RECIPIENT_UNREACHABLE', 'The person is on the block list of the account.'),
  130429: account('RATE_LIMITED', 'The account sends faster than WhatsApp allows.', {
    retryable: true,
    waitMs: second,
  }),
  130472: recipient(
    'RECIPIENT_LIMIT',
    'WhatsApp withholds marketing messages from this person as part of an experiment. Wait until the person writes.',
  ),
  130497: recipient(
    'RECIPIENT_UNREACHABLE',
    'WhatsApp does not allow this business to write to people in this country.',
  ),
  131000: uncertain,
  131005: permissionMissing,
  131008: message('MESSAGE_REJECTED', 'WhatsApp misses a part of the message.', { hasDetails: true }),
  131009: message('MESSAGE_REJECTED', 'A value of the message is invalid.', { hasDetails: true }),
  131014: rejected,
  131016: unavailable,
  131020: groups,
  131021: recipient('MESSAGE_REJECTED', 'The account can’t write to its own number.'),
  131026: recipient(
    'RECIPIENT_UNREACHABLE',
    'The message can’t be delivered: the number has no WhatsApp, or its program is too old, or the person has not accepted the terms.',
  ),
  131030: recipient(
    'RECIPIENT_UNREACHABLE',
    'This is a test number, which writes only to the numbers on its list. Add the recipient in the app’s dashboard.',
  ),
  131031: account(
    'ACCOUNT_RESTRICTED',
    'WhatsApp has locked the account for a violation of its policies, or its data could not be verified. Open the WhatsApp Manager.',
  ),
  131037: account(
    'ACCOUNT_RESTRICTED',
    'The display name of the number is not approved yet. Request its approval in the WhatsApp Manager.',
  ),
  131041: groups,
  131042: payment,
  131044: payment,
  131045: notRegistered,
  131047: recipient(
    'WINDOW_CLOSED',
    'More than 24 hours have passed since the person last wrote. Send an approved template.',
  ),
  131048: account(
    'ACCOUNT_LIMIT',
    'WhatsApp limits the messages of this number, because many were blocked or reported as spam. Check its quality in the WhatsApp Manager.',
  ),
  131049: recipient(
    'RECIPIENT_LIMIT',
    'WhatsApp did not deliver the message, because the person receives many marketing messages. Wait at least 24 hours.',
  ),
  131050: recipient(
    'RECIPIENT_OPTED_OUT',
    'The person has stopped marketing messages of this business in WhatsApp.',
  ),
  131051: message('UNSUPPORTED', 'WhatsApp does not support this kind of message.', { hasDetails: true }),
  131052: message('MEDIA_REJECTED', 'WhatsApp could not load the file. Send it again.', { hasDetails: true }),
  131053: media,
  131055: message('UNSUPPORTED', 'WhatsApp does not allow this method for this message.', {
    hasDetails: true,
  }),
  131056: recipient('RECIPIENT_LIMIT', 'Too many messages were sent to this person in a short time.', {
    retryable: true,
    waitMs: 6 * second,
  }),
  131057: account('PROVIDER_UNAVAILABLE', 'The account is in maintenance at WhatsApp.', {
    retryable: true,
    waitMs: 5 * minute,
  }),
  131062: recipient(
    'RECIPIENT_UNREACHABLE',
    'WhatsApp sends this kind of message only to a phone number, and this person has shown none.',
  ),
  131063: account(
    'PERMISSION_MISSING',
    'Marketing templates are switched off for this API. Switch them on in the settings of the WhatsApp account.',
  ),
  131064: account(
    'ACCOUNT_LIMIT',
    'WhatsApp limits the messages of this account, because its templates had the wrong category. Open the WhatsApp Manager.',
  ),
  132000: templateMismatch,
  132001: template(
    'TEMPLATE_NOT_FOUND',
    'WhatsApp has no approved template with this name in this language. Synchronize the templates.',
  ),
  132005: template('TEMPLATE_MISMATCH', 'The template is too long with these values. Shorten them.'),
  132007: template(
    'TEMPLATE_PAUSED',
    'The content of the template violates a policy of WhatsApp. Write a new template.',
  ),
  132008: templateMismatch,
  132012: templateMismatch,
  132015: template(
    'TEMPLATE_PAUSED',
    'WhatsApp has paused the template, because people rated it badly. Improve it, or use another one.',
  ),
  132016: template(
    'TEMPLATE_PAUSED',
    'WhatsApp has disabled the template for good, because people rated it badly. Write a new template.',
  ),
  132018: templateMismatch,
  132068: template(
    'TEMPLATE_PAUSED',
    'The form of the template is blocked. Correct it in the WhatsApp Manager.',
  ),
  132069: template('TEMPLATE_PAUSED', 'The form of the template is limited to 10 messages per hour.', {
    retryable: true,
    waitMs: hour,
  }),
  133000: notRegistered,
  133004: unavailable,
  133005: account(
    'INVALID_CREDENTIALS',
    'The two-step PIN of the number is wrong. Enter it in the WhatsApp Manager.',
  ),
  133006: account(
    'INVALID_CREDENTIALS',
    'The number must be verified first. Verify it in the WhatsApp Manager.',
  ),
  133008: account(
    'ACCOUNT_RESTRICTED',
    'The two-step PIN was entered wrongly too often. Wait, then try again.',
    {
      hasDetails: true,
    },
  ),
  133009: account('ACCOUNT_RESTRICTED', 'The two-step PIN was entered too fast. Wait, then try again.', {
    hasDetails: true,
  }),
  133010: notRegistered,
  133015: notRegistered,
  133016: account('ACCOUNT_RESTRICTED', 'The number was registered too often. Wait 72 hours.'),
  134011: payment,
  134100: template('UNSUPPORTED', 'Only marketing templates can be sent with this API.', {
    hasDetails: true,
  }),
  134101: template(
    'TEMPLATE_NOT_FOUND',
    'WhatsApp is still preparing the template. Try again in ten minutes.',
    {
      retryable: true,
      waitMs: 10 * minute,
    },
  ),
  134102: template('TEMPLATE_NOT_FOUND', 'The template can’t be used with this API.', { hasDetails: true }),
  135000: uncertain,
  137000: recipient(
    'MESSAGE_REJECTED',
    'The person has a new WhatsApp installation. Send the message again.',
  ),
  2388019: template(
    'TEMPLATE_MISMATCH',
    'The account has as many templates as WhatsApp allows. Delete some.',
  ),
  2388023: template(
    'TEMPLATE_MISMATCH',
    'A template of this name is being deleted. Use another name, or wait four weeks.',
  ),
  2388024: template('TEMPLATE_MISMATCH', 'A template with this name and language exists already.'),
  2494100: unavailable,
}

export const knownErrorCodes = Object.keys(knownErrors).map(Number)

/** Finds the meaning of a code; undefined: it is not documented. */
export function toKnownError(code: number): KnownError | undefined {
  const known = knownErrors[code]
  if (known) return known
  if (code >= 200 && code < 300) return permissionMissing
  if (code >= 131200 && code < 131300) return groups
  if (code >= 132000 && code < 133000) return templateMismatch
  if (code >= 133000 && code < 134000) return notRegistered
  if (code >= 2388000 && code < 2389000) return templateInvalid
  return undefined
}

export { rejected, restricted, unavailable, uncertain }
