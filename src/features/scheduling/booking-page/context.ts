/** Reads what every page shows: the agency, the event type, and where it takes place. */
import type { IncomingHttpHeaders } from 'node:http'
import { shorten } from '../../../documents/pdf-text.ts'
import { toMessageLanguage } from '../../../domain/messaging/opt-out-words.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { readSetting } from '../../../kit/settings/setting-store.ts'
import { hasLogo, readBrandingFacts } from '../../identity/settings.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import { privacyNotice } from '../../privacy/settings.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import type { CallDetails, OnsiteDetails } from '../event-types/location-schemas.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { type PageContext, toOrigin } from './booking-html.ts'
import { findUserName } from './queries.ts'
import { readVisit } from './visit.ts'
import type { BookingWords } from './words.ts'

/** The names of an agency and of an agent: nothing else limits them. */
const nameMax = 100

export interface PageRequest {
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The path of the logo, relative to the page. */
  logoPath: string
}

export interface ReadContext extends PageContext {
  /** The country of the workspace, ISO 3166-1. */
  country: string
}

/** The page of an event type. */
export interface OpenPage {
  eventType: EventTypeRow
  context: ReadContext
}

/** `appointment`: if the page is one of an appointment. */
export async function readContext(
  tx: Tx,
  { query, headers, logoPath }: PageRequest,
  { eventType, appointment }: { eventType: EventTypeRow; appointment?: AppointmentRow },
): Promise<ReadContext> {
  const { config, availability } = eventType
  const isOfOne = config.assignment.kind === 'single'
  const agentId = appointment?.agentUserId ?? (isOfOne ? eventType.ownerAgentUserId : null)
  const [{ branding }, hasOwnLogo, { url }, { country }, agent] = await Promise.all([
    readBrandingFacts(tx),
    hasLogo(tx),
    readSetting(tx, privacyNotice),
    getWorkspaceLocale(tx),
    agentId === null ? null : findUserName(tx, agentId),
  ])
  const ownZone = appointment?.timezone ?? availability.timezone
  const language = appointment?.visitor.language ?? config.bookingPage.language
  const visit = readVisit(query, headers, {
    language,
    fallback: toMessageLanguage(country),
    timezone: ownZone,
  })
  return {
    visit,
    country,
    ownZone,
    nowMs: getNow(tx).getTime(),
    agency: {
      name: shorten(branding.name ?? '', nameMax),
      color: branding.color ?? toLongColor(eventType.color),
      phone: branding.phone,
      email: branding.email,
      logoPath: hasOwnLogo ? logoPath : null,
      privacyUrl: url,
    },
    frameOrigins: config.bookingPage.allowedOrigins,
    redirectOrigin: toOrigin(config.bookingPage.redirectUrl),
    about: {
      name: eventType.name,
      description: eventType.description,
      durationMin: eventType.durationMin,
      place: appointment ? toAgreedPlace(visit.words, appointment) : toPlace(visit.words, eventType),
      agent: agent && shorten(agent, nameMax),
    },
  }
}

/** `#abc` as `#aabbcc`. */
const toLongColor = (color: string | null): string | null =>
  color?.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color

function toPlace(words: BookingWords, { locationMode, locationDetails }: EventTypeRow): string[] {
  const mode = words.mode[locationMode]
  if (locationMode === 'onsite') return [mode, (locationDetails as OnsiteDetails).address ?? '']
  if (locationMode === 'video') return [mode]
  const { whoCalls, phone } = locationDetails as CallDetails
  return [mode, whoCalls === 'agent' ? words.agentCalls : phone ? words.visitorCalls(phone) : '']
}

function toAgreedPlace(words: BookingWords, { location, visitor }: AppointmentRow): string[] {
  const { mode, address, phone } = location
  if (mode !== 'call') return [words.mode[mode], address ?? '']
  const isCalled = phone !== null && phone === visitor.phone
  return [words.mode[mode], isCalled ? words.agentCalls : phone ? words.visitorCalls(phone) : '']
}
