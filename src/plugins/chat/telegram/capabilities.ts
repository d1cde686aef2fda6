/** What a bot can send. */
import type { ChatCapabilities } from '../../chat.ts'

const megabyte = 1024 * 1024
const uploadMax = 50 * megabyte

/** The Bot API documents one message a second and chat, and 30 a second in all. */
export const capabilities: ChatCapabilities = {
  identities: ['telegram'],
  text: { charactersMax: 4096, captionCharactersMax: 1024 },
  media: {
    image: { mediaTypes: ['image/jpeg', 'image/png', 'image/webp'], bytesMax: 10 * megabyte },
    video: { mediaTypes: ['video/mp4'], bytesMax: uploadMax },
    audio: { mediaTypes: ['audio/mpeg', 'audio/mp4'], bytesMax: uploadMax },
    voice: { mediaTypes: ['audio/ogg', 'audio/mpeg', 'audio/mp4'], bytesMax: uploadMax },
    document: { mediaTypes: [], bytesMax: uploadMax },
    sticker: { mediaTypes: ['image/webp'], bytesMax: megabyte / 2 },
  },
  buttonsMax: 20,
  listRowsMax: 0,
  location: true,
  reactions: true,
  typing: true,
  receipts: false,
  templates: 'local',
  replyWindowHours: null,
  messagesPerSecond: 25,
  idempotent: false,
}
