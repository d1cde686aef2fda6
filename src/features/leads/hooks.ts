/** Hooks for features that refer to leads: a merge, the undo of a merge, a deletion. */
import { hook } from '../../kit/hook.ts'

interface Merge {
  /** The surviving lead. */
  leadId: string
  /** The lead that is merged into it and deleted. */
  absorbedId: string
}

/**
 * Handlers move their references from the absorbed lead to the surviving one; the absorbed lead is deleted next. A
 * handler returns the rows that it needs to undo this, by names of its own: they are stored with the merge.
 */
export const leadsMerged = hook<Merge, Record<string, object[]>>('leadsMerged')

interface UndoneMerge extends Merge {
  /** The rows that the handlers of `leadsMerged` returned. Merges by earlier versions may lack some names. */
  saved: Partial<Record<string, object[]>>
  /** The sources of both leads before the merge: `lead_id`, `platform`, `listing_id` and others. */
  sources: object[]
}

/** Handlers move their references back to the absorbed lead, which has been restored. */
export const mergeUndone = hook<UndoneMerge>('mergeUndone')

/** Replies that were recorded on the surviving lead since the merge. */
export interface SeparatedReplies {
  /** The last one that stays with it; null: none does. */
  keptAt: Date | null
  /** The last one that went back to the absorbed lead; null: none did. */
  returnedAt: Date | null
}

/** Called after `mergeUndone`. The handler returns to whom the people have replied since the merge. */
export const repliesSeparated = hook<Merge & { mergeId: string }, SeparatedReplies>('repliesSeparated')

/** Handlers remove their references to these leads, which are deleted next. A merge calls `leadsMerged` instead. */
export const leadsDeleted = hook<string[]>('leadsDeleted')
