/** Telephones, addresses and chats as callers write them, read as by somebody in the workspace's country. */
import { type Identifier, identifiersOf } from '../../domain/dedupe/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'

type Written = { kind: Identifier['kind']; value: string }

/** ISO 3166-1 alpha-2. */
export async function getCountry(tx: Tx): Promise<string> {
  return (await tx.selectFrom('workspaces').select('country').executeTakeFirstOrThrow()).country
}

/** For each, what it is read as: nothing, or one or more. */
export async function readIdentifiers(tx: Tx, written: Written[]): Promise<Identifier[][]> {
  const country = await getCountry(tx)
  return written.map(({ kind, value }) => identifiersOf({ [`${kind}s`]: [value] }, country))
}

/** Throws 400, which names each place of `/identifiers`, if one was read as nothing. */
export function refuseUnreadable(read: Identifier[][]): void {
  const errors = read.flatMap((found, index) =>
    found.length > 0
      ? []
      : [
          {
            path: `/identifiers/${index}/value`,
            code: 'WRONG_FORMAT',
            message: 'can not be read as what it is said to be',
          },
        ],
  )
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', 'Not every identifier can be read: see errors.', { errors })
}
