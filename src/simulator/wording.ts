// The texts of an advert, in the language of its country: its title and its description.

import type { Random } from '../domain/random.ts'
import { pick } from '../domain/random.ts'
import type { Figures } from './advert.ts'
import { hasFeature } from './advert.ts'
import type { AdvertPlace, Phrases } from './phrases.ts'
import { ITALIAN } from './phrases-italian.ts'
import { PORTUGUESE } from './phrases-portuguese.ts'
import { SPANISH } from './phrases-spanish.ts'
import type { Country } from './places.ts'
import { capital } from './spanish.ts'

const PHRASES: Record<Country, Phrases> = { ES: SPANISH, PT: PORTUGUESE, IT: ITALIAN }

/** "Ático en Calle de Verdi, Vila de Gràcia, Barcelona", "Apartamento T2 para arrendar em Rua da Rosa, Bairro Alto, Lisboa". */
export function titleOf(figures: Figures, place: AdvertPlace): string {
  return PHRASES[figures.city.country].title(figures, place)
}

/** Two or three paragraphs, separated by empty lines. */
export function descriptionOf(
  figures: Figures,
  place: AdvertPlace,
  agenciesAbstain: boolean,
  random: Random,
): string {
  const phrases = PHRASES[figures.city.country]
  const words: Record<string, string> = {
    verb: phrases.verbs[figures.operation],
    noun: phrases.noun(figures),
    adjective: pick(random, phrases.adjectives),
    street: place.street,
    barrio: place.neighbourhood,
    city: figures.city.name,
    reference: `${figures.city.landlinePrefix}-${Math.floor(random() * 90_000) + 10_000}`,
  }
  const equipment = phrases.features.flatMap(([feature, text]) => (hasFeature(figures, feature) ? text : []))
  const first = [
    pick(random, phrases.openings[figures.propertyType]),
    phrases.layout(figures),
    equipment.length > 0 ? phrases.equipment(equipment) : '',
  ]
  const second = [pick(random, phrases.settings)]
  if (figures.condition) second.unshift(pick(random, phrases.conditions[figures.condition]))
  const closings = figures.privateAdvertiser ? phrases.privateClosings : phrases.agencyClosings
  const third = [pick(random, [...closings[figures.operation], ...closings.any])]
  if (agenciesAbstain) third.push(pick(random, phrases.abstainClosings))
  return [first, second, third]
    .map(sentences => capital(fill(sentences.filter(Boolean).join(' '), words)))
    .join('\n\n')
}

function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}
