/** The errors of conversations and messages. */
import type { ProblemType } from '../../kit/problem.ts'

export const windowClosed: ProblemType = {
  code: 'WINDOW_CLOSED',
  status: 422,
  meaning:
    'The person has not written within the reply window of the provider, so a free text is not accepted.',
  action: 'Send an approved template, or wait until the person writes. See `replyWindowExpiresAt`.',
  example:
    'The reply window is closed: the person last wrote more than 24 hours ago. Send an approved template.',
}

export const noIdentity: ProblemType = {
  code: 'NO_IDENTITY',
  status: 422,
  meaning: 'The lead has no phone number, address or chat to which the provider of the account can send.',
  action: 'Add one to the lead, or choose an account of another provider.',
  example: 'The lead has no e-mail address, which this account needs.',
}

export const leadAmbiguous: ProblemType = {
  code: 'LEAD_AMBIGUOUS',
  status: 422,
  meaning: 'The person has several leads, and the template does not say for which one it is rendered.',
  action: 'Send `leadId` beside `templateId`.',
  example:
    'The person of this conversation has several leads, and a template is rendered for one of them. Send leadId.',
}

export const accountNotSending: ProblemType = {
  code: 'ACCOUNT_NOT_SENDING',
  status: 409,
  meaning: 'The account is disconnected, logged out, restricted, banned, or paused by somebody.',
  action: 'See `status` and `health` of the account: connect it again, or end the pause.',
  example: 'The account is paused. End the pause, or choose another account.',
}

export const unsupportedMessage: ProblemType = {
  code: 'UNSUPPORTED_MESSAGE',
  status: 422,
  meaning: 'The provider of the account can’t send a message of this kind, or with such parts.',
  action: 'Change what the message names, or send another kind. See `capabilities` of the account.',
  example: 'Telegram can’t send lists. Send a text.',
}

export const noticeMissing: ProblemType = {
  code: 'NOTICE_MISSING',
  status: 422,
  meaning:
    'The first message to a person whose data come from a portal or a list must have the privacy notice, and this one can’t.',
  action:
    'Send a text first, or an approved template whose text has the link of the setting `privacyNotice`. If the person has received the notice, record `noticeSentAt` with the lawful basis.',
  example:
    'The person has not received the privacy notice, which this kind of message can’t have. Send a text first.',
}

export const textTooLong: ProblemType = {
  code: 'TEXT_TOO_LONG',
  status: 422,
  meaning: 'The text is longer than the provider accepts.',
  action: 'Shorten it, or send it in parts. See `capabilities` of the account.',
  example: 'The text has 5,000 characters; WhatsApp accepts 4,096.',
}

/** Why a text is refused, besides its person. */
export const textProblems = [
  accountNotSending,
  noIdentity,
  windowClosed,
  unsupportedMessage,
  textTooLong,
  noticeMissing,
]
