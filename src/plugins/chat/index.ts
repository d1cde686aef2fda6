/** The chat providers that the program has. */
import type { ChatProvider } from '../chat.ts'
import { email } from './email/index.ts'
import { linkProviders } from './manual.ts'
import { sandbox } from './sandbox.ts'
import { telegram } from './telegram/index.ts'
import { whatsappCloud } from './whatsapp-cloud/index.ts'

export const chatProviders: ChatProvider[] = [whatsappCloud, telegram, email, ...linkProviders, sandbox]
