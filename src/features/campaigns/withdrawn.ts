/** Messages that were withdrawn: by a person, or because a reply, a booking or a pause came first. */
import { sql } from 'kysely'

/** A condition on a message `m`. */
export const isWithdrawn = sql`coalesce((m.failure ->> 'isWithdrawn')::boolean, false)`
