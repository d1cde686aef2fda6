/** What the features that refer to leads do when leads are merged, parted and deleted. */
import { hook } from '../../kit/hook.ts'

interface Merge {
  /** The lead that stays. */
  leadId: string
  /** The lead that goes into it. */
  absorbedId: string
}

/**
 * Move what you keep of the absorbed lead, which is about to be deleted, and keep no reference to it. Returns what you need to bring it back, by names of your
 * own: it is stored with the merge.
 */
export const leadsMerged = hook<Merge, Record<string, object[]>>('leadsMerged')

interface UndoneMerge extends Merge {
  /** What the handlers of `leadsMerged` returned. Merges of earlier versions may lack some. */
  saved: Partial<Record<string, object[]>>
  /** The sources of both leads as they were before the merge: `lead_id`, `platform`, `listing_id` and others. */
  sources: object[]
}

/** Bring back what you moved, to the lead that is there again. */
export const mergeUndone = hook<UndoneMerge>('mergeUndone')

/** These leads are about to be deleted: keep no reference to them. Merges are not deletions: `leadsMerged` speaks of those. */
export const leadsDeleted = hook<string[]>('leadsDeleted')
