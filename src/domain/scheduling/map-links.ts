/** Links that open a route in a map program. */
import type { Point } from '../geo.ts'

/** Google Maps accepts nine places between origin and destination, outside of mobile browsers: https://developers.google.com/maps/documentation/urls/get-started#directions-action */
const waypointsMax = 9

/**
 * The route through the places, in their order, as a Maps URL of Google. It begins where the device is. A longer route is
 * continued by further links, each from the last place of the one before.
 */
export function toMapLinks(places: readonly Point[]): string[] {
  const points = places.map(toText).filter((point, index, all) => point !== all[index - 1])
  const links: string[] = []
  for (let at = 0; at < points.length; at += waypointsMax + 1)
    links.push(toLink(points[at - 1], points.slice(at, at + waypointsMax + 1)))
  return links
}

const toText = ({ latitude, longitude }: Point): string => `${latitude.toFixed(6)},${longitude.toFixed(6)}`

function toLink(origin: string | undefined, points: string[]): string {
  const query = new URLSearchParams({ api: '1', travelmode: 'driving', destination: points.at(-1)! })
  if (origin !== undefined) query.set('origin', origin)
  if (points.length > 1) query.set('waypoints', points.slice(0, -1).join('|'))
  return `https://www.google.com/maps/dir/?${query}`
}
