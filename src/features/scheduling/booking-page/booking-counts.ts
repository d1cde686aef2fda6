/** Limits how often a page sends mail to whoever is named in its form: each booking does, and each code. */
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import { countUse, type UseLimit } from '../../../kit/use-counts.ts'

/** A family behind one address can book, and choose another time if theirs was taken. */
const clientLimit: UseLimit = { count: 10, seconds: 3600 }
export const eventTypeLimit: UseLimit = { count: 30, seconds: 60 }

interface PageUse {
  tenantId: string
  eventTypeId: string
  /** The client address. */
  address: string
  kind: 'booking' | 'code'
}

/** Counts a use of the page; false: there were too many. */
export function countPageUse(
  database: Database,
  cipher: Cipher,
  { tenantId, eventTypeId, address, kind }: PageUse,
): Promise<boolean> {
  const page = `booking page ${eventTypeId} ${kind}`
  return countUse(database, cipher, tenantId, [
    { subject: `${page} of ${address}`, ...clientLimit },
    { subject: `${page} of all`, ...eventTypeLimit },
  ])
}
