/** Settings, as the command line sets them. */
import type { Database } from '../src/kit/db/index.ts'
import type { Setting } from '../src/kit/settings/setting.ts'
import { writeSetting } from '../src/kit/settings/setting-store.ts'

/** `tenantId`: either environment of the workspace, or the one that the setting is for. */
export function set(database: Database, tenantId: string, setting: Setting, value: unknown): Promise<void> {
  return database.withTenant({ tenantId }, tx => writeSetting(tx, setting, value, { userId: null }))
}
