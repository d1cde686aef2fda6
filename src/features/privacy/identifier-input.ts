/** Parses the phone numbers, e-mail addresses and chats that callers send, for the country of the workspace. */
import { type Identifier, toIdentifiers } from '../../domain/contact/identifiers.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { InputError } from '../../kit/problem.ts'
import { mapYielding } from '../../kit/yielding.ts'

type IdentifierInput = { kind: Identifier['kind']; value: string }

/** The country of the workspace, ISO 3166-1 alpha-2. */
export async function getCountry(tx: Tx): Promise<string> {
  return (await tx.selectFrom('workspaces').select('country').executeTakeFirstOrThrow()).country
}

/** For each input, the identifiers that it contains; empty if it is not valid. */
export async function readIdentifiers(tx: Tx, inputs: IdentifierInput[]): Promise<Identifier[][]> {
  const country = await getCountry(tx)
  return mapYielding(inputs, input => parse(input, country))
}

function parse({ kind, value }: IdentifierInput, country: string): Identifier[] {
  return toIdentifiers({ [`${kind}s`]: [value] }, country)
}

/** The errors of identifiers in a body that may not fit its schema. */
export async function findIdentifierErrors(
  tx: Tx,
  inputs: Partial<IdentifierInput>[] = [],
): Promise<InputError[]> {
  const country = await getCountry(tx)
  // An incomplete identifier has errors of the schema.
  return toUnreadableErrors(
    inputs.map(({ kind, value }) => (kind && value ? parse({ kind, value }, country) : null)),
  )
}

/**
 * An error for each input without an identifier, with its path below `/identifiers`. `parsed`: null for an incomplete
 * input.
 */
export function toUnreadableErrors(parsed: (Identifier[] | null)[]): InputError[] {
  return parsed.flatMap((identifiers, index) =>
    identifiers === null || identifiers.length > 0
      ? []
      : [
          {
            path: `/identifiers/${index}/value`,
            code: 'WRONG_FORMAT',
            message: 'is not a valid value of its kind',
          },
        ],
  )
}
