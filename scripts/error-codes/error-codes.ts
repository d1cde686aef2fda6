/** The type of the lists of error codes. */

/** By code: its meaning; what to do about it. */
export type ErrorCodes = Record<string, [meaning: string, action: string]>
