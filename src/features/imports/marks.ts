/** By what rows are told to repeat one another where no lead tells it: within a batch, and in a dry run, which leaves none. */
import { createHash } from 'node:crypto'
import { identifiersOf } from '../../domain/dedupe/identifiers.ts'
import type { RowDraft } from './row-draft.ts'

/**
 * Texts that say nothing by themselves; two rows with one in common are about one person and one property, or bear one id.
 * The first ones are the narrowest.
 */
export function marksOf({ draft, externalId }: RowDraft, country: string): string[] {
  const { phones = [], emails = [] } = draft.contact ?? {}
  const people = identifiersOf({ phones, emails }, country).map(({ value }) => value)
  const { url, address, title, price, squareMeters, floor, municipality, operation } = draft.property ?? {}
  const property = JSON.stringify(
    url ? [url] : [address, title, price, squareMeters, floor, municipality, operation],
  )
  return [
    ...(externalId === null ? [] : [hashOf(['id', externalId])]),
    ...people.map(person => hashOf([person, property.toLowerCase()])),
  ]
}

function hashOf(parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}
