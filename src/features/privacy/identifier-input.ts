/** Telephones, addresses and chats as callers write them, read as by somebody in the workspace's country. */
import { type Identifier, toIdentifiers } from '../../domain/contact/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'
import { mapYielding } from '../../kit/yielding.ts'

type IdentifierInput = { kind: Identifier['kind']; value: string }

/** ISO 3166-1 alpha-2. */
export async function getCountry(tx: Tx): Promise<string> {
  return (await tx.selectFrom('workspaces').select('country').executeTakeFirstOrThrow()).country
}

/** For each, what it is read as: nothing, or one or more. */
export async function readIdentifiers(tx: Tx, inputs: IdentifierInput[]): Promise<Identifier[][]> {
  const country = await getCountry(tx)
  return mapYielding(inputs, input => parse(input, country))
}

function parse({ kind, value }: IdentifierInput, country: string): Identifier[] {
  return toIdentifiers({ [`${kind}s`]: [value] }, country)
}

/** The errors of identifiers some of whose fields may be missing. */
export async function findIdentifierErrors(
  tx: Tx,
  inputs: Partial<IdentifierInput>[] = [],
): Promise<InputError[]> {
  const country = await getCountry(tx)
  // One that is not whole has errors of its own.
  return toUnreadableErrors(
    inputs.map(({ kind, value }) => (kind && value ? parse({ kind, value }, country) : null)),
  )
}

/** An error for each that was read as nothing, with its place in `/identifiers`. */
export function toUnreadableErrors(parse: (Identifier[] | null)[]): InputError[] {
  return parse.flatMap((found, index) =>
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
