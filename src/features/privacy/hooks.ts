/** Hooks for features that hold data about people: privacy decides when it is erased, each feature erases its own. */
import type { Channel } from '../../domain/contactability/facts.ts'
import { hook } from '../../kit/hook.ts'
import type { Author } from '../../kit/writer.ts'

export interface ErasedPeople {
  /** All leads of these people. They are deleted after the hooks. */
  leadIds: string[]
  /** Normalised phone numbers, e-mail addresses and chats that no other lead has. */
  identifiers: string[]
  /** These leads, the leads they absorbed, and leads with one of the identifiers that other leads absorbed. */
  mergeTree: string[]
  /** Other leads that had one of the identifiers once. */
  former: string[]
  /** Their names, their phone numbers in the notation of listings, and the identifiers. */
  words: string[]
}

/** Ids of objects that contained data about erased people. */
export interface Traces {
  /** Deleted objects: jobs and stored replies about them are deleted too. */
  deleted?: string[]
  /** Changed objects: stored replies and sent messages about them are deleted. */
  changed?: string[]
  /**
   * Unchanged objects: sent messages about them are deleted, because receivers may have responded with personal data.
   */
  referenced?: string[]
}

/** Handlers erase their data about these people outside of leads. The history of the leads still exists. */
export const erasePersonData = hook<ErasedPeople, Traces>('erasePersonData')

/**
 * Handlers erase the history of these leads, and the data about these people in other leads. Called after
 * `erasePersonData`.
 */
export const eraseHistory = hook<ErasedPeople, Traces>('eraseHistory')

/**
 * The handler deletes these leads, emits `lead.deleted` without any of the identifiers, and returns the number of
 * deleted leads.
 */
export const deleteLeadsOfPeople = hook<{ leadIds: string[]; identifiers: string[] }, number>(
  'deleteLeadsOfPeople',
)

/** Handlers erase the messages that were sent about these objects, with their responses. The data: ids. */
export const eraseMessages = hook<string[]>('eraseMessages')

/** The people of these leads have opted out of the channel; null: of all channels. */
export const peopleOptedOut = hook<{ leadIds: string[]; channel: Channel | null; author: Author }>(
  'peopleOptedOut',
)

/** The opt-out of this channel was taken back for the people of these leads. */
export const peopleOptedIn = hook<{ leadIds: string[]; channel: Channel; author: Author }>('peopleOptedIn')
