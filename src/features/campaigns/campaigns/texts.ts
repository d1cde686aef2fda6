/** The texts that agencies write into campaigns, in SQL: a text may name the phone or the e-mail address of one person. */
import { type RawBuilder, sql } from 'kysely'

/** The strings of the settings of a campaign `c`, one a row, as `text`. Those of other groups are ids, times and codes. */
export const settingsTexts = sql`(
  select value #>> '{}' as text from jsonb_path_query(
    jsonb_build_array(c.settings -> 'ai', c.settings -> 'lawfulBasis', c.settings -> 'notifications'), 'strict $.** ? (@.type() == "string")') value)`

/** A name, and the reason of a pause, which names the account. */
export const otherTexts = (isTheirs: (text: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql`(${isTheirs(sql`c.name`)} or ${isTheirs(sql`c.pause_reason ->> 'message'`)})`
