/** Scripted leads as events of the sandbox. */
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { sniffMediaType } from '../../../kit/blobs/media-type.ts'
import { sandbox } from '../../../plugins/chat/sandbox.ts'
import { parseSandboxBody, toSandboxBody } from '../../../plugins/sandbox/body.ts'
import { findSandboxRecipient, toSandboxIdentities } from '../../../plugins/sandbox/recipients.ts'
import { findLeadScript, scriptedRecipients, toReplyEvent } from './scripted-recipients.ts'
import { createVoiceNote, toChecksum } from './voice-note.ts'

const at = Temporal.Instant.from('2026-11-26T10:00:00Z')
const from = [{ kind: 'phone' as const, value: '+34600000017' }]

test('a recipient has the script of its name, and others that of the account', () => {
  for (const recipient of scriptedRecipients)
    for (const identity of toSandboxIdentities(recipient)) {
      expect(findLeadScript([identity], { script: 'silent' })).toBe(recipient.name)
      expect(findSandboxRecipient([identity])).toBeUndefined()
    }
  const other = [{ kind: 'phone' as const, value: '+34612345678' }]
  expect(findLeadScript(other, { script: 'late' })).toBe('late')
  expect(findLeadScript(other, {})).toBeUndefined()
})

test('a reply is an event that the sandbox reads', () => {
  const reply = { delayMs: 1000, text: '¿Quién eres?', nature: 'person' as const }
  const event = toReplyEvent(reply, { from, at, providerMessageId: 'reply-1' })
  expect(parseSandboxBody(toSandboxBody(event), at)).toMatchObject([
    { type: 'message', from, content: { kind: 'text', text: '¿Quién eres?' }, nature: 'person' },
  ])
})

test('a voice note is opened as an Ogg file of two seconds', async () => {
  const reply = { delayMs: 1000, text: null, nature: 'person' as const }
  const [event] = parseSandboxBody(
    toSandboxBody(toReplyEvent(reply, { from, at, providerMessageId: 'reply-1' })),
    at,
  )
  if (event?.type !== 'message' || event.content.kind !== 'media') throw new Error('no voice note')
  const [media] = event.content.media
  const bytes = await buffer(await sandbox.openMedia!({} as never, media!, {} as never))
  expect(bytes).toEqual(createVoiceNote(2000))
  expect(bytes.length).toBe(media!.bytes)
  expect(await sniffMediaType(bytes)).toBe('audio/ogg')
  // The position of the last of its pages is the number of samples at 48 kHz.
  const last = bytes.subarray(bytes.lastIndexOf('OggS'))
  expect(last.readBigInt64LE(6)).toBe(96_000n)
  const page = Buffer.from(last)
  page.writeUInt32LE(0, 22)
  expect(toChecksum(page)).toBe(last.readUInt32LE(22))
})

test('the checksum is that of Ogg', () => {
  // Computed by another program.
  expect(toChecksum(Buffer.from('123456789'))).toBe(0x89a1897f)
})
