/** The chat providers that the program has. */
import type { ChatProvider } from '../chat.ts'
import { email } from './email/index.ts'
import { sandbox } from './sandbox.ts'

export const chatProviders: ChatProvider[] = [sandbox, email]
