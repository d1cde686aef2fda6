/** What notices need of the program. */
import type { Log } from '../../../kit/log.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import type { LinkDependencies } from '../appointments/links.ts'

export interface NoticeDependencies extends LinkDependencies {
  accounts: Pick<ChatAccounts, 'list' | 'getProvider' | 'openConnection' | 'createContext'>
  log: Log
}
