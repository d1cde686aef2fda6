/** Fingerprints of dry-run rows, to find earlier rows that a row may repeat: a dry run stores no leads to compare with. */
import { createHash } from 'node:crypto'
import { toExactKey } from '../../domain/dedupe/same-id.ts'
import { parseInputIdentifiers } from '../leads/service.ts'
import type { ParsedLeadRow } from './parse-row.ts'

type ExactFacts = Parameters<typeof toExactKey>[0]

/**
 * Returns hashes; two rows with a common one have the same id or the same contact. An agency's phone is on thousands of rows,
 * so it is also hashed together with the URL, the address and the title, which narrows it to a few rows.
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
