/** What the engine needs of the program. */
import type { ChatAccounts } from '../../accounts/service.ts'

export interface EngineDependencies {
  accounts: Pick<ChatAccounts, 'getProvider' | 'openConnection'>
}
