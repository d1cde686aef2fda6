/** The codes of event types, agendas and their slots. */
import type { ErrorCodes } from './error-codes.ts'

/** `errors[].code` of a 400 INVALID_INPUT. */
export const eventTypeErrors: ErrorCodes = {
  OVERLAP: ['Two intervals of hours of one day overlap.', 'Join them to one interval.'],
  UNKNOWN_AGENDA: ['There is no agenda with the id.', 'Use an id of `GET /scheduling/agendas`.'],
  WRONG_ACCOUNT: [
    'The account sends messages of another kind.',
    'Name an e-mail account in `emailAccountId`, a chat account in `chatAccountId`.',
  ],
  UNKNOWN_TIMEZONE: [
    'The text is not the name of a time zone.',
    'Send an IANA name such as `Europe/Madrid`; an offset is none.',
  ],
  UNKNOWN_COUNTRY: ['The public holidays of the country are not known.', 'Add them as overrides.'],
  UNKNOWN_REGION: [
    'The country has no such region.',
    'Use one that the message names, or null for the whole country.',
  ],
}

/** `warnings[].code` of slots: why there may be fewer than people expect. */
export const slotWarnings: ErrorCodes = {
  CALENDAR_STALE: [
    'An agenda that fails closed has a calendar whose busy times are out of date.',
    'Check the connection of the calendar.',
  ],
  AGENT_WITHOUT_ACCESS: [
    'The access of an agent was revoked, so nothing of their agenda is offered; of a `collective` event type, nothing at all.',
    'Invite the agent again, or give the event type the agenda of somebody else.',
  ],
  NO_AGENT_FOR_AREA: [
    'No member of the event type shows properties in the postcode.',
    'Add the postcode to the areas of a member.',
  ],
  PLACE_UNKNOWN: [
    'The agents who can come, or their way, depend on the property of the lead, and `leadId` was not sent, or its coordinates are unknown.',
    'Request the slots with `leadId`, or set the coordinates of the lead.',
  ],
}
