/** Why a row was left out, could not be read, or could not be undone, in plain words. */

export const reasons = {
  LEAD_EXISTS: 'This lead is known already, and known ones were to be left as they are.',
  DUPLICATE_IN_FILE: 'An earlier row of this file is about the same person and property.',
  QUOTA_EXCEEDED: 'The quota of new leads of this month is used up.',
  SUPPRESSED: 'This person was erased, and is not stored again.',
  NOT_IDENTIFIABLE:
    'The row has no name, phone number, e-mail address, title, address or link to know it by.',
  NOT_JSON: 'The line is no JSON object, or one of more than 64 levels.',
  TOO_LARGE: 'The row is longer than 1 MiB.',
  NOT_STORABLE: 'The row holds something that can not be stored.',
  CHANGED_SINCE:
    'It was not undone, or not all of it: somebody has changed the lead since, or something else has brought it as well.',
  LEAD_DELETED: 'There was nothing to undo: the lead is no more.',
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
