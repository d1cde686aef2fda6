/** By what rows of a dry run find earlier ones that they may repeat: it leaves no leads that would tell it. */
import { createHash } from 'node:crypto'
import { exactKey } from '../../domain/dedupe/same-id.ts'
import { identifiersIn } from '../leads/service.ts'
import type { RowDraft } from './row-draft.ts'

type ExactFacts = Parameters<typeof exactKey>[0]

/**
 * Texts that say nothing by themselves; two rows with one in common have one id, or one person. An agency's telephone stands
 * on thousands of rows: with its advert, address or title it stands on few.
 */
export function marksOf({ draft, externalId }: RowDraft, country: string): string[] {
  const people = identifiersIn(draft, country).map(({ value }) => value)
  const { url, address, title } = draft.property ?? {}
  const exact =
    people.length > 0
      ? null
      : exactKey({ name: draft.contact?.name ?? null, ...draft.property } as ExactFacts)
  const places = [url, address, title].filter(place => typeof place === 'string')
  return [
    ...(externalId === null ? [] : [hashOf(['id', externalId])]),
    ...(exact === null ? [] : [hashOf(['exact', exact])]),
    ...people.flatMap(person => [hashOf([person]), ...places.map(place => hashOf([person, place]))]),
  ]
}

function hashOf(parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}
