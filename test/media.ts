/** Files for tests of messages. */
import sharp from 'sharp'

/** A PNG of one colour. */
export async function drawImage(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background: 'teal' } })
  return new Uint8Array(await image.png().toBuffer())
}

/** The first page of an Ogg file with Opus sound, and more bytes. */
export function makeVoiceNote(bytes: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead', 'latin1')
  const file = new Uint8Array(bytes)
  for (let index = 0; index < bytes; index++) file[index] = (index * 31) % 251
  file.set(head)
  return file
}
