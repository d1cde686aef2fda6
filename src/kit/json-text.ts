/** JSON that is text already, passed through as it is. */

export interface JsonText {
  readonly json: string
  /** Headers of the reply, such as `ETag`. */
  readonly headers?: Record<string, string>
  /** In place of the route's status: its `createdStatus`. */
  readonly status?: number
}

export const toJsonText = (json: string, headers?: Record<string, string>): JsonText =>
  headers ? { json, headers } : { json }
