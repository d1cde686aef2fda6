/** Why a row was left out or could not be read, in plain words. */

export const reasons = {
  KNOWN: 'This lead is known already, and known ones were to be left as they are.',
  DUPLICATE_IN_FILE: 'An earlier row of this file is about the same person and property.',
  OVER_QUOTA: 'The quota of new leads of this month is used up.',
  SUPPRESSED: 'This person is on the suppression list.',
  NOTHING_TO_RECOGNISE:
    'The row has no name, telephone number, e-mail address, title, address or link to know it by.',
  NOT_JSON: 'The line is no JSON object.',
  NOT_STORABLE: 'The row holds something that can not be stored.',
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
