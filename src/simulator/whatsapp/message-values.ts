/** Reads the body of a message, which may be anything. */
export type MessageBody = Record<string, unknown>

export const asObject = (value: unknown): MessageBody =>
  typeof value === 'object' && value !== null ? (value as MessageBody) : {}

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
