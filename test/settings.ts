/** Changes settings, as the command line does. */
import type { Database } from '../src/kit/db/index.ts'
import type { Setting } from '../src/kit/settings/setting.ts'
import { writeSetting } from '../src/kit/settings/setting-store.ts'

/** Sets a setting. `tenantId`: for a workspace setting, the tenant of either environment. */
export function setSetting(
  database: Database,
  tenantId: string,
  setting: Setting,
  value: unknown,
): Promise<void> {
  return database.withTenant({ tenantId }, tx => writeSetting(tx, setting, value, { userId: null }))
}
