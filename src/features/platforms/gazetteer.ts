/** The gazetteer of this installation. */
import { readFileSync } from 'node:fs'
import { createGazetteer, type Gazetteer } from '../../domain/location/gazetteer.ts'
import { parsePlaces } from '../../domain/location/place.ts'

let loaded: Gazetteer | undefined

/** Returns the gazetteer. The first call reads `gazetteer/places.tsv`, which takes about 0.1 s. */
export function loadGazetteer(): Gazetteer {
  loaded ??= createGazetteer(
    parsePlaces(readFileSync(new URL('../../../gazetteer/places.tsv', import.meta.url), 'utf8')),
  )
  return loaded
}
