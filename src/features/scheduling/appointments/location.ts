/** Where an appointment takes place. */
import type { CallDetails, OnsiteDetails, VideoDetails } from '../event-types/location-schemas.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import type { VisitPlace } from '../slots/place.ts'
import type { AppointmentLocation, Visitor } from './schemas.ts'

const nowhere = {
  address: null,
  latitude: null,
  longitude: null,
  url: null,
  phone: null,
  instructions: null,
}

/** It takes place at the property of the lead, if the lead has one. */
export const takesPlaceAtProperty = ({
  locationMode,
  locationDetails,
}: Pick<EventTypeRow, 'locationMode' | 'locationDetails'>): boolean =>
  locationMode === 'onsite' && (locationDetails as OnsiteDetails).useLeadProperty

/** The agent calls the visitor, so the visitor's phone is needed. */
export const agentCalls = ({
  locationMode,
  locationDetails,
}: Pick<EventTypeRow, 'locationMode' | 'locationDetails'>): boolean =>
  locationMode === 'call' && (locationDetails as CallDetails).whoCalls === 'agent'

/** `visit`: the place for which the slot was chosen. */
export function toLocation(
  { locationMode: mode, locationDetails }: Pick<EventTypeRow, 'locationMode' | 'locationDetails'>,
  visit: VisitPlace,
  visitor: Pick<Visitor, 'phone'>,
): AppointmentLocation {
  if (mode === 'onsite') {
    const { instructions } = locationDetails as OnsiteDetails
    const { latitude = null, longitude = null } = visit.place ?? {}
    return { ...nowhere, mode, address: visit.address, latitude, longitude, instructions }
  }
  if (mode === 'call') {
    const { whoCalls, phone } = locationDetails as CallDetails
    return { ...nowhere, mode, phone: whoCalls === 'agent' ? visitor.phone : phone }
  }
  const { url, instructions } = locationDetails as VideoDetails
  return { ...nowhere, mode, url, instructions }
}

/** The place of a stored location, for the slots to which the appointment can move. */
export const toVisitPlace = ({ address, latitude, longitude }: AppointmentLocation): VisitPlace => ({
  place: latitude === null || longitude === null ? null : { latitude, longitude },
  postcode: null,
  address,
})
