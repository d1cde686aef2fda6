/** Ids of messages: Telegram counts them per chat, so ours have the chat as well. */

export const toMessageId = (chatId: number | string, messageId: number): string => `${chatId}:${messageId}`

/** The number of Telegram; null: it is not the id of a message, such as that of a pressed button. */
export function parseMessageId(id: string): number | null {
  const number = /^-?\d{1,20}:(\d{1,15})$/.exec(id)?.[1]
  return number === undefined ? null : Number(number)
}

const callbackStart = 'callback:'

export const toCallbackId = (queryId: string): string => callbackStart + queryId

/** The query of a pressed button; null: it is another message. */
export function parseCallbackId(id: string): string | null {
  return id.startsWith(callbackStart) ? id.slice(callbackStart.length) : null
}
