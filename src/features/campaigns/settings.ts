/** The settings of campaigns. The command line reads them here. */
import { aiSettings } from './ai/settings.ts'
import { messageCosts } from './numbers/settings.ts'

export const settings = [messageCosts, ...aiSettings]
