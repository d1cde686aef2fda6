/** Why a notice is not sent, besides the reasons of messages. */

export interface Refusal {
  code: string
  /** What happened and what to do, for people. */
  message: string
}

const refuse = (code: string, message: string): Refusal => ({ code, message })

export const cancelledRefusal = refuse(
  'CANCELLED',
  'The appointment was cancelled before the notice was sent.',
)
export const superseded = refuse('SUPERSEDED', 'The appointment changed before the notice was sent.')
export const messageDeleted = refuse(
  'MESSAGE_DELETED',
  'The message was deleted since then, with the data of the person or after its retention period. Nobody knows any more if it was sent.',
)
export const tooLate = refuse('TOO_LATE', 'The notice could not be sent before the appointment.')
export const noEmail = refuse(
  'NO_ADDRESS',
  'The visitor left no e-mail address. Add one to the visitor of the appointment.',
)
export const noPhone = refuse(
  'NO_ADDRESS',
  'The visitor left no phone number. Add one to the visitor of the appointment.',
)
export const noAgent = refuse(
  'NO_ADDRESS',
  'The agent no longer has access to the workspace. Assign the appointment to another one.',
)
export const noEmailAccount = refuse(
  'NO_EMAIL_ACCOUNT',
  'No e-mail account is connected. Connect one with `POST /accounts`.',
)
export const whichEmailAccount = refuse(
  'NO_EMAIL_ACCOUNT',
  'Several e-mail accounts are connected. Choose one in `config.notices.emailAccountId` of the event type.',
)
export const noChatAccount = refuse(
  'NO_CHAT_ACCOUNT',
  'No chat account is connected. Connect one with `POST /accounts`.',
)
export const whichChatAccount = refuse(
  'NO_CHAT_ACCOUNT',
  'Several chat accounts are connected. Choose one in `config.notices.chatAccountId` of the event type.',
)
export const lostAccount = refuse(
  'ACCOUNT_NOT_SENDING',
  'The chosen account is gone, or sends no messages of this kind. Choose another one in `config.notices` of the event type.',
)
export const internal = refuse(
  'INTERNAL',
  'The notice failed several times on our side. It has been recorded.',
)
