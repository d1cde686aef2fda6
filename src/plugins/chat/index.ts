/** The chat providers that the program has. */
import type { ChatProvider } from '../chat.ts'

export const chatProviders: ChatProvider[] = []
