/** Telephones, addresses and chats as callers write them, read as by somebody in the workspace's country. */
import { type Identifier, identifiersOf } from '../../domain/contact/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'
import { mapInTurns } from '../../kit/turns.ts'

type Written = { kind: Identifier['kind']; value: string }

/** ISO 3166-1 alpha-2. */
export async function getCountry(tx: Tx): Promise<string> {
  return (await tx.selectFrom('workspaces').select('country').executeTakeFirstOrThrow()).country
}

/** For each, what it is read as: nothing, or one or more. */
export async function readIdentifiers(tx: Tx, written: Written[]): Promise<Identifier[][]> {
  const country = await getCountry(tx)
  return mapInTurns(written, one => read(one, country))
}

function read({ kind, value }: Written, country: string): Identifier[] {
  return identifiersOf({ [`${kind}s`]: [value] }, country)
}

/** The errors of identifiers some of whose fields may be missing. */
export async function findErrorsOfIdentifiers(
  tx: Tx,
  written: Partial<Written>[] = [],
): Promise<InputError[]> {
  const country = await getCountry(tx)
  // One that is not whole has errors of its own.
  return errorsOfUnreadable(
    written.map(({ kind, value }) => (kind && value ? read({ kind, value }, country) : null)),
  )
}

/** An error for each that was read as nothing, with its place in `/identifiers`. */
export function errorsOfUnreadable(read: (Identifier[] | null)[]): InputError[] {
  return read.flatMap((found, index) =>
    found === null || found.length > 0
      ? []
      : [
          {
            path: `/identifiers/${index}/value`,
            code: 'WRONG_FORMAT',
            message: 'can not be read as what its kind says',
          },
        ],
  )
}
