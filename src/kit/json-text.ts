/** A reply as JSON text, for example built by PostgreSQL. It is sent unchanged. */
export interface JsonText {
  readonly json: string
  /** Headers of the reply, such as `ETag`. */
  readonly headers?: Record<string, string>
  /** Overrides the route's status; its `createdStatus`. */
  readonly status?: number
}

export const toJsonText = (json: string, headers?: Record<string, string>): JsonText =>
  headers ? { json, headers } : { json }
