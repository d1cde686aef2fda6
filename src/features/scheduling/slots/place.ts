/** The place of an appointment: it decides which agents can go there, and how long the way is. */
import { sql } from 'kysely'
import type { Place } from '../../../domain/slots/types.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { OnsiteDetails } from '../event-types/location-schemas.ts'
import type { EventTypeRow } from '../event-types/queries.ts'

export interface VisitPlace {
  /** Null: unknown, or not on site. */
  place: Place | null
  /** Null: unknown. */
  postcode: string | null
  /** Null: unknown. */
  address: string | null
}

const nowhere: VisitPlace = { place: null, postcode: null, address: null }

/** The place of the event type, without a lead. */
export function getOwnPlace({ locationMode, locationDetails }: EventTypeRow): VisitPlace {
  if (locationMode !== 'onsite') return nowhere
  const { address, latitude, longitude } = locationDetails as OnsiteDetails
  return { place: toPlace(latitude, longitude), postcode: null, address }
}

export const toPlace = (latitude: number | null, longitude: number | null): Place | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** It takes place at the property of the lead, and the agents who can come, or their way, depend on it. */
export const dependsOnLead = ({ locationMode, locationDetails, config }: EventTypeRow): boolean =>
  locationMode === 'onsite' &&
  (locationDetails as OnsiteDetails).useLeadProperty &&
  (config.travel.enabled || config.assignment.members.some(({ areas }) => areas.length > 0))

export const isSamePlace = (one: Place | null, other: Place | null): boolean =>
  one?.latitude === other?.latitude && one?.longitude === other?.longitude

interface PropertyRow {
  address: string | null
  municipality: string | null
  postcode: string | null
  latitude: number | null
  longitude: number | null
}

/** The property of the lead, if the event type takes place there; otherwise the place of the event type. */
export async function readVisitPlace(
  tx: Tx,
  eventType: EventTypeRow,
  leadId: string | null,
): Promise<VisitPlace> {
  const own = getOwnPlace(eventType)
  if (leadId === null || eventType.locationMode !== 'onsite') return own
  if (!(eventType.locationDetails as OnsiteDetails).useLeadProperty) return own
  const { rows } = await sql<PropertyRow>`
    select address, municipality, postcode, latitude, longitude from leads
    where tenant_id = ${getTenantId(tx)} and id = ${leadId}`.execute(tx)
  const [property] = rows
  if (!property) return own
  const place = toPlace(property.latitude, property.longitude)
  if (place === null && property.address === null && property.postcode === null) return own
  const address = [property.address, property.postcode, property.municipality].filter(part => part !== null)
  return { place, postcode: property.postcode, address: address.join(', ') || null }
}
