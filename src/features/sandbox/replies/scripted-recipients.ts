/** Which recipients have a script, and their replies as events. */
import type { ScriptedReply } from '../../../domain/scripted-leads/scripted-replies.ts'
import { type LeadScript, leadScripts } from '../../../domain/scripted-leads/scripts.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'
import { toSandboxIdentities } from '../../../plugins/sandbox/recipients.ts'
import { createVoiceNote } from './voice-note.ts'

/** Each script has a recipient of every kind: the numbers 11, 12, … and the name of the script. */
export const scriptedRecipients: readonly { name: LeadScript; number: string }[] = leadScripts.map(
  (name, index) => ({ name, number: String(11 + index) }),
)

const scriptsByIdentity = new Map(
  scriptedRecipients.flatMap(recipient =>
    toSandboxIdentities(recipient).map(({ kind, value }) => [`${kind} ${value}`, recipient.name] as const),
  ),
)

/** The script of a recipient, or else that of the account (`script` of the sandbox's credentials). */
export function findLeadScript(
  to: readonly ChatIdentity[],
  credentials: Record<string, unknown>,
): LeadScript | undefined {
  const own = to.map(({ kind, value }) => scriptsByIdentity.get(`${kind} ${value}`)).find(Boolean)
  return own ?? leadScripts.find(script => script === credentials.script)
}

const voiceNoteMs = 2000

/** The event of a reply. `providerMessageId` is the same for the same reply, so that a repeated one counts once. */
export function toReplyEvent(
  { text, nature }: ScriptedReply,
  { from, at, providerMessageId }: { from: ChatIdentity[]; at: Temporal.Instant; providerMessageId: string },
): InboundEvent {
  return {
    type: 'message',
    externalId: null,
    at,
    from,
    providerMessageId,
    profileName: null,
    content: text === null ? toVoiceNote() : { kind: 'text', text },
    replyTo: null,
    email: null,
    referral: null,
    nature,
    isEcho: false,
  }
}

function toVoiceNote() {
  const bytes = createVoiceNote(voiceNoteMs)
  const media = {
    kind: 'voice' as const,
    providerMediaId: `data:audio/ogg;base64,${bytes.toString('base64')}`,
    mediaType: 'audio/ogg',
    fileName: null,
    bytes: bytes.length,
  }
  return { kind: 'media' as const, media: [media], caption: null }
}
