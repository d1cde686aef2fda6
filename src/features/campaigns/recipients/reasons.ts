/** Why recipients wait, are skipped or ended: the same words in the preview, the ledger and the conversation. */

export interface Reason {
  code: string
  /** For users. */
  message: string
}

export const unknownLead: Reason = { code: 'UNKNOWN_LEAD', message: 'There is no lead with this id.' }

export const alreadyJoined: Reason = {
  code: 'ALREADY_JOINED',
  message: 'The lead is or was in the campaign. See `settings.reentryAfterDays`.',
}

export const inAnotherCampaign: Reason = {
  code: 'IN_ANOTHER_CAMPAIGN',
  message: 'Another campaign writes to the person. Retry when it has ended for them.',
}

export const beforeRestart: Reason = {
  code: 'BEFORE_RESTART_DATE',
  message: 'The listing is older than `segmentation.messageRestartDate`, so the person is not written to.',
}

export const campaignEnded: Reason = {
  code: 'CAMPAIGN_COMPLETED',
  message: 'The campaign had completed before the person could join.',
}
