/** The hooks of extractions. */
import { hook } from '../../kit/hook.ts'

/** Called with the id of an extraction that a campaign has started, in the transaction in which it ends. */
export const campaignExtractionEnded = hook<string>('campaignExtractionEnded')

/** Called before the extraction of a campaign is resumed by another one. Handlers throw a `Problem` to refuse it. */
export const campaignExtractionRetried = hook<{
  campaignId: string
  /** The new extraction. */
  extractionId: string
  /** The one that it resumes. */
  resumedFrom: string
}>('campaignExtractionRetried')
