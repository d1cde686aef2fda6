/** The gazetteer of this installation, read when a location is first asked for. */
import { readFileSync } from 'node:fs'
import { createGazetteer, type Gazetteer } from '../../domain/location/gazetteer.ts'
import { parsePlaces } from '../../domain/location/place.ts'

let loaded: Gazetteer | undefined

/** Reads the gazetteer once (about a tenth of a second) and keeps it. */
export function loadGazetteer(): Gazetteer {
  loaded ??= createGazetteer(
    parsePlaces(readFileSync(new URL('../../../gazetteer/places.tsv', import.meta.url), 'utf8')),
  )
  return loaded
}
