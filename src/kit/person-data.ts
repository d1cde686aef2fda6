/** The personal data of a feature, for access requests. All features together build one reply. */
import type { Tx } from './db/index.ts'
import type { TSchema } from './schema.ts'

export interface People {
  /** The ids of all leads of these people. */
  leadIds: string[]
  /** Their normalized phone numbers, e-mail addresses and chat ids. */
  identifiers: string[]
}

export interface PersonData {
  /** The schemas of this feature's fields in the reply, by name. */
  fields: Record<string, TSchema>
  example: Record<string, unknown>
  /** Returns each field as JSON text. */
  read(tx: Tx, people: People): Promise<Record<string, string>>
}

/** Reads the parts one after the other, and returns one JSON object with the fields of all. */
export async function readPersonData(tx: Tx, parts: PersonData[], people: People): Promise<string> {
  const texts: string[] = []
  for (const part of parts) {
    const fields = await part.read(tx, people)
    texts.push(...Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`))
  }
  return `{${texts.join(',')}}`
}
