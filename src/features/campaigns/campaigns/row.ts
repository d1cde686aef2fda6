/** A campaign as stored. */
import type { Health } from '../../../domain/campaigns/health.ts'
import type { WaitReason } from '../../../domain/sequence/types.ts'
import type { CampaignMode, CampaignStatus, ContactMode, PauseCode } from './schemas.ts'
import type { Segmentation } from './segmentation-schemas.ts'
import type { CampaignSettings } from './settings-schemas.ts'

export interface PauseReason {
  code: PauseCode
  message: string
}

/** Why messages that are due wait, or why nothing is due. */
export interface StoredWait {
  code: WaitReason | 'NO_ACCOUNT' | 'ACCOUNT_NOT_SENDING' | 'LEFT_OUT'
  /** ISO 8601; null: they will never be sent as things are. */
  until: string | null
  /** For people, of `LEFT_OUT`: how many recipients, and why. */
  message?: string
}

export interface CampaignRow {
  id: string
  name: string
  status: CampaignStatus
  mode: CampaignMode
  platform: string
  contactMode: ContactMode | null
  accountId: string | null
  segmentation: Segmentation
  settings: CampaignSettings
  allUrlsChecked: boolean
  pauseReason: PauseReason | null
  /** Spaces its messages: see `PaceRules.seed`. */
  seed: number
  /** No message before it; null: at once. */
  nextSendAt: Date | null
  /** When its messages are planned next; null: nothing is to be planned. */
  planAt: Date | null
  wait: StoredWait | null
  /** What the results of its last messages say; null: nothing yet. */
  health: Health | null
  /** When it was started, or resumed after its health paused it: what was known then is forgiven. Null: not started. */
  healthSince: Date | null
  /** When its portal is read next; null: not again, or not known. */
  nextRunAt: Date | null
  /** When its platform or filters were changed. */
  searchChangedAt: Date | null
  /** When its mode became `extract_and_contact` after `extract_only`. */
  contactFrom: Date | null
  version: number
  createdBy: string | null
  /** The user who set the lawful basis; null: there is none, or no user has. */
  basisBy: string | null
  createdAt: Date
  updatedAt: Date
  startedAt: Date | null
  completedAt: Date | null
}
