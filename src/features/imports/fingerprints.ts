/** By what rows of a dry run find earlier ones that they may repeat: it leaves no leads that would tell it. */
import { createHash } from 'node:crypto'
import { toExactKey } from '../../domain/dedupe/same-id.ts'
import { parseInputIdentifiers } from '../leads/service.ts'
import type { ParsedLeadRow } from './parse-row.ts'

type ExactFacts = Parameters<typeof toExactKey>[0]

/**
 * Texts that say nothing by themselves; two rows with one in common have one id, or one person. An agency's telephone stands
 * on thousands of rows: with its advert, address or title it stands on few.
 */
export function toFingerprints({ input, externalId }: ParsedLeadRow, country: string): string[] {
  const identifiers = parseInputIdentifiers(input, country).map(({ value }) => value)
  const { url, address, title } = input.property ?? {}
  const exact =
    identifiers.length > 0
      ? null
      : toExactKey({ name: input.contact?.name ?? null, ...input.property } as ExactFacts)
  const locations = [url, address, title].filter(location => typeof location === 'string')
  return [
    ...(externalId === null ? [] : [hashParts(['id', externalId])]),
    ...(exact === null ? [] : [hashParts(['exact', exact])]),
    ...identifiers.flatMap(identifier => [
      hashParts([identifier]),
      ...locations.map(location => hashParts([identifier, location])),
    ]),
  ]
}

function hashParts(parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)
}
