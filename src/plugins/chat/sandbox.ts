/** The sandbox as a provider of its own: a chat that never leaves the machine, with all that a chat can have. */
import { leadScripts } from '../../domain/scripted-leads/scripts.ts'
import { oneOf, strictObject, Type } from '../../kit/schema.ts'
import type { ChatProvider } from '../chat.ts'
import { simulateProvider } from '../sandbox/simulate-provider.ts'

const megabyte = 1024 * 1024
const credentials = strictObject({
  script: Type.Optional(
    oneOf(leadScripts, {
      title: 'Script',
      description: 'What the leads of this account answer, if no person does.',
      examples: ['viewing'],
    }),
  ),
})

const provider: ChatProvider<typeof credentials> = simulateProvider({
  id: 'sandbox',
  label: 'Sandbox',
  channel: 'chat',
  mode: 'chat',
  credentials,
  capabilities: {
    identities: ['phone', 'sandbox', 'telegram', 'email'],
    text: { charactersMax: 65_536 },
    media: {
      image: { mediaTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], bytesMax: 100 * megabyte },
      video: { mediaTypes: ['video/mp4', 'video/3gpp', 'video/webm'], bytesMax: 100 * megabyte },
      audio: {
        mediaTypes: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr'],
        bytesMax: 100 * megabyte,
      },
      voice: { mediaTypes: ['audio/ogg', 'audio/mpeg', 'audio/mp4'], bytesMax: 100 * megabyte },
      document: { mediaTypes: [], bytesMax: 100 * megabyte },
      sticker: { mediaTypes: ['image/webp'], bytesMax: megabyte },
    },
    buttonsMax: 10,
    listRowsMax: 10,
    location: true,
    reactions: true,
    typing: true,
    receipts: true,
    templates: 'local',
    replyWindowHours: null,
    messagesPerSecond: 1000,
    idempotent: true,
  },
  markRead: async () => {},
})

export const sandbox = { ...provider, isTestOnly: true } as const
