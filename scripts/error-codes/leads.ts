/** The codes of extractions and leads, and of what the workspace is told about itself. */
import type { ErrorCodes } from './error-codes.ts'

/** `error.code` of an extraction that failed, also of GET /platforms. */
export const extractionFailures: ErrorCodes = {
  BLOCKED: [
    'The portal showed a robot check or a sign-in, or refused to be read.',
    'Request access from the portal. Do not retry at once.',
  ],
  LAYOUT_CHANGED: [
    'The pages do not have the layout that the portal definition expects.',
    'Update the portal definition.',
  ],
  ROBOTS_DISALLOWED: [
    "The portal's robots.txt does not allow the pages.",
    'Request permission from the portal.',
  ],
  PORTAL_UNAVAILABLE: ['The portal did not reply, or replied with an error.', 'Retry the extraction later.'],
  CREDENTIALS_INVALID: [
    'The portal did not accept the credentials.',
    'The operator corrects them in `PORTAL_URLS`.',
  ],
  TIMEOUT: ['The portal did not reply in time.', 'Retry the extraction later.'],
  INTERNAL: [
    'The server failed unexpectedly. The cause is in its log.',
    'Retry; if it persists, report it to the operator.',
  ],
}

/** Keys of `skippedByReason` of an extraction. */
export const skipReasons: ErrorCodes = {
  gone: ['The listing no longer exists.', 'Nothing.'],
  robotsDisallowed: ["The portal's robots.txt does not allow the page of the listing.", 'Nothing.'],
  outsideFilters: ['The listing does not match the filters, although the portal showed it.', 'Nothing.'],
  quotaExceeded: ['The monthly quota of new leads is used up.', 'Retry when the quota is renewed.'],
  erased: ['The person was erased, and is not stored again.', 'Nothing.'],
}

/** `reason` in `contactability` of a lead. */
export const contactReasons: ErrorCodes = {
  ERASED: ['The person was erased.', 'Final: do not contact them.'],
  OPTED_OUT: ['The person opted out.', 'Final: do not contact them.'],
  MARKETING_REFUSED: [
    'The person refused marketing with the provider: they may only be answered.',
    'Wait until they write, or accept it again there.',
  ],
  SUPPRESSED: [
    'An identifier is on an exclusion list, or on the list of the workspace itself.',
    'Only the removal of the entry changes it.',
  ],
  NO_AGENCIES: [
    'A listing says that agencies must not make contact.',
    'It ends when no listing says so any more.',
  ],
  RETENTION_EXPIRED: [
    'The retention of the data is over.',
    'Erase the lead; a new interaction with the person extends it.',
  ],
  DISCARDED: ['The lead was discarded.', 'Set another status.'],
  NO_LAWFUL_BASIS: ['No lawful basis is recorded.', 'Record one with `PUT /leads/{id}/lawful-basis`.'],
  BASIS_EXPIRED: ['The lawful basis has expired.', 'Record a new one.'],
  BASIS_NOT_PROVEN: ['Consent is recorded without proof.', 'Record how and where it was given.'],
  CHANNEL_NOT_COVERED: [
    'The lawful basis does not cover the channel.',
    'Use another channel, or record a basis that covers it.',
  ],
  NO_CHANNEL: ['No phone number or address of the person is known.', 'Add one.'],
  INCLUDE_NOTICE: [
    'An obligation, not a refusal: the person has not received the privacy notice.',
    'Include the notice in the first message.',
  ],
}

/** `notices[].code` of GET /me. */
export const notices: ErrorCodes = {
  WEBHOOK_DISABLED: [
    'A subscription was disabled after failures.',
    'Enable it, then recover the events it missed.',
  ],
}
