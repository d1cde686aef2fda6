/** Draws the map of a sheet. */

import { createFormats } from '../../documents/formats.ts'
import { drawLocationMap, type LocationMapData, toLocationView } from '../../documents/map/location-map.ts'
import type { MapTiles } from '../../documents/map/map-tiles.ts'
import { createPalette } from '../../documents/palette.ts'
import type { Gazetteer } from '../../domain/location/gazetteer.ts'
import { createByteCache } from '../../kit/byte-cache.ts'
import { getSheetWords } from './sheet/languages.ts'
import type { Sheet, SheetMap } from './sheet/sheet.ts'
import type { Privacy } from './sheet-schemas.ts'

export interface SheetMapDependencies {
  /** The tiles of street maps; null if the operator has none. */
  mapTiles: MapTiles | null
  /** For the towns on maps without streets. */
  loadGazetteer(): Gazetteer
}

/** In units of the SVG: names are legible on half a page of A4. */
const widthUnits = 420

/** In memory, for a short time: a sheet that was sent is opened by several people. */
const drawings = createByteCache<string>({
  maxBytes: 16_000_000,
  ttlMs: 300_000,
  sizeOf: svg => svg.length * 2,
})

/** Returns null if the location is hidden or unknown. May wait for tiles: call it outside of transactions. */
export async function makeSheetMap(
  { property, branding, language, timezone }: Pick<Sheet, 'property' | 'branding' | 'language' | 'timezone'>,
  { address, coordinates }: Privacy,
  { mapTiles, loadGazetteer }: SheetMapDependencies,
): Promise<SheetMap | null> {
  const { latitude, longitude } = property
  if (latitude === null || longitude === null || coordinates === 'hidden') return null
  const isApproximate = coordinates === 'approximate'
  // A pin on a street with its name shows the address.
  const tiles = address === 'hidden' && !isApproximate ? null : mapTiles
  const shown = { point: { latitude, longitude }, isApproximate }
  const key = JSON.stringify([shown, branding.color, language, property.currency, timezone, tiles !== null])
  const known = drawings.find(key)
  if (known !== undefined) return { svg: known, isApproximate }
  const streets = tiles ? await tiles.loadStreets(toLocationView(shown)) : null
  const words = getSheetWords(language)
  const data: LocationMapData = {
    ...shown,
    streets,
    towns: streets ? [] : listTowns(loadGazetteer()),
    distance: createFormats(words, property.currency ?? 'EUR', timezone).distance,
    description: isApproximate ? words.approximateLocation : words.location,
  }
  const palette = createPalette(branding.color)
  const svg = drawLocationMap({ width: widthUnits, palette }, data)
  // Tiles that are missing for a moment may come with the next request.
  if (streets || !tiles) drawings.store(key, svg)
  return { svg, isApproximate }
}

const listTowns = (gazetteer: Gazetteer) =>
  gazetteer.listPlaces().filter(({ type }) => type === 'municipality')
