/** What a feature holds on people, for whoever asks for it: a part of one reply, which the features make together. */
import type { Tx } from './db/index.ts'
import type { TSchema } from './schema.ts'

export interface People {
  /** All leads of these people. */
  leadIds: string[]
  /** Their normalised phone numbers, e-mail addresses and chats. */
  identifiers: string[]
}

export interface PersonData {
  /** The fields of the reply, by name. */
  fields: Record<string, TSchema>
  example: Record<string, unknown>
  /** Each field as JSON. */
  read(tx: Tx, people: People): Promise<Record<string, string>>
}

/** The JSON object of all these parts, one after the other. */
export async function readPersonData(tx: Tx, parts: PersonData[], people: People): Promise<string> {
  const texts: string[] = []
  for (const part of parts) {
    const fields = await part.read(tx, people)
    texts.push(...Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`))
  }
  return `{${texts.join(',')}}`
}
