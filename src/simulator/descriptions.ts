/** Title and description of a listing, in the language of its country. */

import type { Random } from '../domain/random.ts'
import { pickRandom } from '../domain/random.ts'
import type { ListingAttributes } from './listing.ts'
import { hasFeature } from './listing.ts'
import type { ListingPlace, Phrases } from './phrases.ts'
import { italian } from './phrases-italian.ts'
import { portuguese } from './phrases-portuguese.ts'
import { spanish } from './phrases-spanish.ts'
import type { Country } from './places.ts'
import { capitalize } from './spanish.ts'

const phrasesByCountry: Record<Country, Phrases> = { ES: spanish, PT: portuguese, IT: italian }

/**
 * "Ático en Calle de Verdi, Vila de Gràcia, Barcelona", "Apartamento T2 para arrendar em Rua da Rosa, Bairro Alto,
 * Lisboa".
 */
export function formatTitle(attributes: ListingAttributes, place: ListingPlace): string {
  return phrasesByCountry[attributes.city.country].title(attributes, place)
}

/** Two or three paragraphs, separated by empty lines. */
export function formatDescription(
  attributes: ListingAttributes,
  place: ListingPlace,
  noAgencies: boolean,
  random: Random,
): string {
  const phrases = phrasesByCountry[attributes.city.country]
  const words: Record<string, string> = {
    verb: phrases.verbs[attributes.operation],
    noun: phrases.noun(attributes),
    adjective: pickRandom(random, phrases.adjectives),
    street: place.street,
    barrio: place.neighbourhood,
    city: attributes.city.name,
    reference: `${attributes.city.landlinePrefix}-${Math.floor(random() * 90_000) + 10_000}`,
  }
  const equipment = phrases.features.flatMap(([feature, text]) =>
    hasFeature(attributes, feature) ? text : [],
  )
  const first = [
    pickRandom(random, phrases.openings[attributes.propertyType]),
    phrases.layout(attributes),
    equipment.length > 0 ? phrases.equipment(equipment) : '',
  ]
  const second = [pickRandom(random, phrases.surroundings)]
  if (attributes.condition) second.unshift(pickRandom(random, phrases.conditions[attributes.condition]))
  const closings = attributes.isPrivateAdvertiser ? phrases.privateClosings : phrases.agencyClosings
  const third = [pickRandom(random, [...closings[attributes.operation], ...closings.any])]
  if (noAgencies) third.push(pickRandom(random, phrases.noAgencyClosings))
  return [first, second, third]
    .map(sentences => capitalize(fillPlaceholders(sentences.filter(Boolean).join(' '), words)))
    .join('\n\n')
}

function fillPlaceholders(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}
