/** JSON that PostgreSQL has already written, passed through as it is. */

export interface JsonText {
  readonly json: string
}

export const jsonText = (json: string): JsonText => ({ json })
