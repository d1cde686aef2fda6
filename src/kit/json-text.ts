/** A reply as JSON text, for example built by PostgreSQL. It is sent unchanged. */
export interface JsonText {
  readonly json: string
  /** Headers of the reply, such as `ETag`. */
  readonly headers?: Record<string, string>
  /** The route's `createdStatus`, to reply with it instead of the route's `status`. */
  readonly status?: number
}

export const toJsonText = (json: string, headers?: Record<string, string>): JsonText =>
  headers ? { json, headers } : { json }
