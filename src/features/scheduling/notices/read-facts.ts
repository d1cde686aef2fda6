/** Reads what the text of a notice says. */
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readBrandingFacts } from '../../identity/settings.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { type LinkDependencies, readLinks } from '../appointments/links.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { CallDetails } from '../event-types/location-schemas.ts'
import { findPageUrl } from '../event-types/page-share.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { findLanguage } from './languages.ts'
import type { NoticeFacts } from './notice-text.ts'
import { findAgent, type NoticeRow } from './queries.ts'

/** For the visitor, in their language and time zone. */
export async function readVisitorFacts(
  tx: Tx,
  { kind }: Pick<NoticeRow, 'kind'>,
  appointment: AppointmentRow,
  { eventType, dependencies }: { eventType: EventTypeRow; dependencies: LinkDependencies },
): Promise<NoticeFacts> {
  const [{ country }, { branding }, links, agent, bookAgainUrl] = await Promise.all([
    getWorkspaceLocale(tx),
    readBrandingFacts(tx),
    readLinks(tx, [appointment.id], dependencies),
    findAgent(tx, appointment.agentUserId),
    kind === 'cancelled' ? findPageUrl(tx, eventType, dependencies) : null,
  ])
  return {
    kind,
    language:
      findLanguage(appointment.visitor.language) ??
      findLanguage(eventType.config.bookingPage.language) ??
      toMessageLanguage(country),
    appointment,
    timezone: appointment.timezone,
    title: eventType.name,
    questions: eventType.config.questions,
    agentName: agent?.name ?? null,
    agency: branding.name,
    whoCalls: toCaller(eventType),
    link: links.get(appointment.id)?.page ?? null,
    bookAgainUrl,
  }
}

/** For the agent, in the language and the time zone of the agency. */
export async function readAgentFacts(
  tx: Tx,
  { kind }: Pick<NoticeRow, 'kind'>,
  appointment: AppointmentRow,
  eventType: EventTypeRow,
): Promise<NoticeFacts> {
  const { country, timezone } = await getWorkspaceLocale(tx)
  return {
    kind,
    language: toMessageLanguage(country),
    appointment,
    timezone,
    title: eventType.name,
    questions: eventType.config.questions,
    agentName: null,
    agency: null,
    whoCalls: toCaller(eventType),
    link: null,
    bookAgainUrl: null,
  }
}

function toCaller({ locationMode, locationDetails }: EventTypeRow): NoticeFacts['whoCalls'] {
  return locationMode === 'call' ? (locationDetails as CallDetails).whoCalls : null
}
