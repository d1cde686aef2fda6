/** Sets settings like the command line. */
import type { Database } from '../src/kit/db/index.ts'
import type { Setting } from '../src/kit/settings/setting.ts'
import { writeSetting } from '../src/kit/settings/setting-store.ts'

/** `tenantId`: for a workspace setting, the tenant of either environment. */
export function set(database: Database, tenantId: string, setting: Setting, value: unknown): Promise<void> {
  return database.withTenant({ tenantId }, tx => writeSetting(tx, setting, value, { userId: null }))
}
