/** The contents of messages with which a provider is checked. */
import { Readable } from 'node:stream'
import type { ChatProvider, OutgoingContent } from './chat.ts'

export const textContent: OutgoingContent = { kind: 'text', text: 'Hola' }

/** A message of each kind that the provider can send, and a file that breaks. */
export function listContents({ capabilities }: ChatProvider): [string, OutgoingContent][] {
  const [kind] = Object.keys(capabilities.media) as (keyof typeof capabilities.media)[]
  const mediaType = (kind && capabilities.media[kind]?.mediaTypes[0]) ?? 'application/pdf'
  const file = (open: () => Promise<Readable>): OutgoingContent => ({
    kind: 'media',
    media: { kind: kind!, mediaType, fileName: 'a.bin', bytes: 3, open },
    caption: 'x',
  })
  const broken = () =>
    Readable.from(
      // biome-ignore lint/correctness/useYield: it breaks before its first bytes.
      (async function* () {
        throw new Error('the file is gone')
      })(),
    )
  const contents: [string, OutgoingContent | false | undefined][] = [
    ['text', textContent],
    ['a file', kind && file(async () => Readable.from([Buffer.from('abc')]))],
    ['a file that breaks', kind && file(async () => broken())],
    [
      'buttons',
      capabilities.buttonsMax > 0 && {
        kind: 'buttons',
        text: '¿Le interesa?',
        buttons: [{ id: 'yes', title: 'Sí' }],
      },
    ],
    [
      'a location',
      capabilities.location && {
        kind: 'location',
        latitude: 41.4,
        longitude: 2.2,
        name: null,
        address: null,
      },
    ],
    [
      'a reaction',
      capabilities.reactions && { kind: 'reaction', emoji: '👍', providerMessageId: '123456789:1' },
    ],
  ]
  return contents.filter((entry): entry is [string, OutgoingContent] => Boolean(entry[1]))
}
