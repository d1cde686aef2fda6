/** The reasons why a row was skipped, failed or was not undone, as sentences for people. */

export const reasons = {
  LEAD_EXISTS: 'This lead is already known, and the import does not change known leads.',
  DUPLICATE_IN_FILE: 'An earlier row of this file is about the same person and property.',
  QUOTA_EXCEEDED: 'The quota of new leads of this month is used up.',
  SUPPRESSED: 'This person was erased and is not stored again.',
  NOT_IDENTIFIABLE:
    'The row has no name, phone number, e-mail address, title, address or link that identifies a lead.',
  NOT_JSON: 'The line is not a JSON object, or has more than 64 levels.',
  TOO_LARGE: 'The row is longer than 1 MiB.',
  NOT_STORABLE: 'The row has a value that cannot be stored.',
  CHANGED_SINCE:
    'Not undone, or only in part: the lead has been changed since, or it also comes from another source.',
  LEAD_DELETED: 'There was nothing to undo: the lead has been deleted.',
} as const

export type Reason = keyof typeof reasons

/** SQL: the sentence for the reason of a row `r`. */
export const messageSql = `case r.reason ${Object.entries(reasons)
  .map(([reason, sentence]) => {
    const text = `'${sentence.replaceAll("'", "''")}'`
    return reason === 'DUPLICATE_IN_FILE'
      ? `when '${reason}' then coalesce('This repeats row ' || r.repeats || ' of the file: the same person and property.', ${text})`
      : `when '${reason}' then ${text}`
  })
  .join(' ')} end`
