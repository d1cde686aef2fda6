/** The hooks of extractions. */
import { hook } from '../../kit/hook.ts'

/** Called with the id of an extraction that a campaign has started, in the transaction in which it ends. */
export const campaignExtractionEnded = hook<string>('campaignExtractionEnded')
