/** Points in the URLs of maps: embedded maps, links to a map or to directions, pictures of a map. */
import { parseCoordinates } from '../../values.ts'
import { isInAdvertiserPart } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import type { PageNode, PageTree } from '../page-tree.ts'

const linksMax = 20
const urlMax = 3000
const mapHost =
  /^(?:https?:)?\/\/(?:[\w.-]*\bgoogle\.[a-z.]{2,6}\/(?:maps|local)|maps?\.|[\w.-]*(?:maps\.google|googleapis|bing\.com\/maps|openstreetmap|mapbox|apple\.com|waze\.com|here\.com|mapy\.cz|yandex|geoapify|maptiler))/i
const degrees = '(-?\\d{1,3}\\.\\d{3,20})'
/** Latitude before longitude. */
const pairPatterns = [
  `[?&](?:q|ll|query|center|destination|daddr|viewpoint|cbll|cp|markers|sll|location|pushpins|to)=[^&\\d-]{0,40}${degrees}(?:,|~|\\s|\\+)\\s?${degrees}`,
  `@${degrees},${degrees}`,
  `!3d${degrees}!4d${degrees}`,
  `mlat=${degrees}&mlon=${degrees}`,
  `#(?:map=)?\\d{1,2}/${degrees}/${degrees}`,
].map(source => new RegExp(source))
/** Longitude before latitude. */
const swappedPatterns = [`!2d${degrees}!3d${degrees}`, `/pin-[^(]{1,40}\\(${degrees},${degrees}\\)`].map(
  source => new RegExp(source),
)
const zoomPattern = /[?&](?:zoom|z|lvl)=(\d{1,2})|,(\d{1,2})(?:\.\d+)?z(?:$|[/?])/
/** Below this, the map shows a town. */
const zoomMin = 13

/** The candidates of the point. The map of an agency stands in its part of the page. */
export function readMapLinks(tree: PageTree, page: PageRuns): Candidate[] {
  const candidates: Candidate[] = []
  for (const node of tree.nodes) {
    if (candidates.length >= linksMax) break
    const url = findMapUrl(node)
    if (url === null) continue
    const point = parseMapUrl(url)
    if (point === null || page.isExcluded(node.parent!) || isInAdvertiserPart(node)) continue
    const where = `${node.name} map ${candidates.length}`
    for (const field of ['latitude', 'longitude'] as const)
      candidates.push({ field, value: point[field], source: 'text', where, weight: 0.45 })
  }
  return candidates
}

function findMapUrl({ name, attributes }: PageNode): string | null {
  const url =
    name === 'a'
      ? attributes.href
      : name === 'iframe' || name === 'img'
        ? [attributes.src, attributes['data-src']].find(
            source => source !== undefined && mapHost.test(source),
          )
        : undefined
  return url !== undefined && url.length < urlMax && mapHost.test(url) ? url : null
}

/** The point of a map's URL; null if it has none, or shows a town. */
export function parseMapUrl(url: string): { latitude: number; longitude: number } | null {
  const text = url.slice(0, urlMax).replace(/%2C/gi, ',').replace(/%7E/gi, '~').replace(/%20/g, ' ')
  const [, zoom, otherZoom] = zoomPattern.exec(text) ?? []
  if (Number(zoom ?? otherZoom ?? zoomMin) < zoomMin) return null
  for (const pattern of pairPatterns) {
    const match = pattern.exec(text)
    if (match !== null) return parseCoordinates(match[1], match[2])
  }
  for (const pattern of swappedPatterns) {
    const match = pattern.exec(text)
    if (match !== null) return parseCoordinates(match[2], match[1])
  }
  return null
}
