/** What WhatsApp can send, and its limits. */
import type { ChatCapabilities } from '../../chat.ts'

const megabyte = 1024 * 1024

export const capabilities: ChatCapabilities = {
  identities: ['phone', 'bsuid'],
  text: { charactersMax: 4096, captionCharactersMax: 1024 },
  media: {
    image: { mediaTypes: ['image/jpeg', 'image/png'], bytesMax: 5 * megabyte },
    video: { mediaTypes: ['video/mp4', 'video/3gpp'], bytesMax: 16 * megabyte },
    audio: {
      mediaTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
      bytesMax: 16 * megabyte,
    },
    voice: { mediaTypes: ['audio/ogg'], bytesMax: 16 * megabyte },
    document: {
      mediaTypes: [
        'text/plain',
        'application/pdf',
        'application/msword',
        'application/vnd.ms-excel',
        'application/vnd.ms-powerpoint',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      ],
      bytesMax: 100 * megabyte,
    },
    // 100 KB if it does not move, which only WhatsApp finds out.
    sticker: { mediaTypes: ['image/webp'], bytesMax: 500 * 1024 },
  },
  buttonsMax: 3,
  listRowsMax: 10,
  location: true,
  reactions: true,
  typing: true,
  receipts: true,
  templates: 'required',
  replyWindowHours: 24,
  // The default throughput of a number. Faster sending is slowed down by WhatsApp's own errors.
  messagesPerSecond: 80,
  idempotent: false,
}

/** Limits of texts, in characters. */
export const limits = {
  caption: 1024,
  templateBody: 1024,
  templateHeader: 60,
  templateFooter: 60,
  templateButtonTitle: 25,
  templateButtonValues: { url: 2000, phone: 20, copy_code: 15, quick_reply: undefined },
  buttonsBody: 1024,
  listBody: 4096,
  buttonTitle: 20,
  buttonId: 256,
  listButton: 20,
  sections: 10,
  sectionTitle: 24,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
}
