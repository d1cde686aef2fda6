/** What the features that keep something of a person do about it: privacy decides when, they know where it is. */
import type { Channel } from '../../domain/contactability/facts.ts'
import { hook } from '../../kit/hook.ts'
import type { Author } from '../../kit/writer.ts'

export interface ErasedPeople {
  /** All leads of these people. They are still there. */
  leadIds: string[]
  /** Normalised phone numbers, e-mail addresses and chats that no other lead has. */
  identifiers: string[]
  /** These leads, and those that were absorbed by them, or by others while they had one of the identifiers. */
  mergeTree: string[]
  /** Other leads that had one of the identifiers once. */
  former: string[]
  /** Their names, and their phone numbers as listings show them. */
  words: string[]
}

/** Ids of objects that told of erased people. */
export interface Traces {
  /** These objects are gone: jobs about them go too. */
  deleted?: string[]
  /** These objects were changed: stored replies and sent messages about them are forgotten. */
  changed?: string[]
  /** These objects are as they were: receivers may have answered their events with what is forgotten now. */
  referenced?: string[]
}

/** Forget what you keep of these people outside their leads. The history of their leads is still there. */
export const erasePersonData = hook<ErasedPeople, Traces>('erasePersonData')

/** Forget the history of these leads, and what other leads keep of their people. Called after `erasePersonData`. */
export const eraseHistory = hook<ErasedPeople, Traces>('eraseHistory')

/** Delete these leads, and emit `lead.deleted` without any of these identifiers. Returns how many there were. */
export const deleteLeadsOfPeople = hook<{ leadIds: string[]; identifiers: string[] }, number>(
  'deleteLeadsOfPeople',
)

/** Forget what was sent about these objects, and what was answered to it. */
export const eraseMessages = hook<string[]>('eraseMessages')

/** The people of these leads asked not to be contacted through the channel; null: through any. */
export const peopleOptedOut = hook<{ leadIds: string[]; channel: Channel | null; author: Author }>(
  'peopleOptedOut',
)
