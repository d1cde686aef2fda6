/** Lawful bases that are recorded on leads, and their columns. */
import type { Channel, LawfulBasisKind } from '../../../domain/contactability/facts.ts'

export interface NewBasis {
  leadId: string
  kind: LawfulBasisKind
  /** ISO 8601; null: now. */
  at: string | null
  /** The proof, with the row and the import that it comes from. */
  proof: string
  /** If omitted, the channels that its kind covers. */
  channels?: Channel[] | null
  /** ISO 8601; null: never. */
  expiresAt?: string | null
  /** A basis whose proof contains this text is replaced, if it differs. Omitted: none is. */
  replaces?: string
  /** The user who attests the bases of the import; null: nobody does, or the key belongs to no user. */
  by: string | null
  /** The lead was created by the same import: the basis does not count as a change of it. */
  isNew: boolean
}

interface BasisTimes {
  lawful_basis_at: Date | null
  lawful_basis_expires_at: Date | null
  consent_at: Date | null
}

export interface BasisColumns extends Record<string, unknown>, BasisTimes {
  id: string
}

/** The columns of a basis as changes have them. */
export const toBasisValues = (columns: BasisTimes): Record<string, unknown> => ({
  ...columns,
  lawful_basis_at: columns.lawful_basis_at?.toISOString() ?? null,
  lawful_basis_expires_at: columns.lawful_basis_expires_at?.toISOString() ?? null,
  consent_at: columns.consent_at?.toISOString() ?? null,
})
