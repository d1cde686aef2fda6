/** The Message-ID of our messages has our id, so that bounces, answers and sent messages are found by it. */

const ownPattern = /^<m\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^<>\s@]+>$/
const idPattern = /<[^<>\s]{1,500}>/g
/** A header has at most so many ids; the later ones are nearer. */
const idsMax = 100

/** `address`: of the account. */
export function toMessageId(messageId: string, address: string): string {
  return `<m.${messageId}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

/** Our id; null: it is not one of our messages. */
export function parseOwnMessageId(header: string): string | null {
  return ownPattern.exec(header)?.[1] ?? null
}

/** The ids in a header such as References, the oldest first. */
export function parseMessageIds(header: string): string[] {
  return [...new Set(header.slice(0, 100_000).match(idPattern) ?? [])].slice(-idsMax)
}
