/** What a lead says of whether its person may be contacted. */
import { type CHANNELS, LAWFUL_BASIS_KINDS } from '../../../domain/contactability/facts.ts'
import { REASON_CODES } from '../../../domain/contactability/reasons.ts'
import { closed, nullable, oneOf, type Static, Type, time } from '../../../kit/schema.ts'

const allowed = Type.Boolean({ description: 'Whether the person may be contacted.' })
const reason = nullable(oneOf(REASON_CODES, { description: 'Why not; null if, and only if, it is allowed.' }))
const channel = closed({ allowed, reason })

export const Contactability = closed({
  allowed: Type.Boolean({ description: 'Whether the person may be contacted, through any channel.' }),
  reason,
  message: nullable(Type.String({ description: 'The reason as a sentence for people; null if allowed.' })),
  channels: closed(
    { chat: channel, phone: channel, email: channel } satisfies Record<(typeof CHANNELS)[number], unknown>,
    { description: 'What holds for each channel by itself.' },
  ),
  obligations: Type.Array(oneOf(['INCLUDE_NOTICE']), {
    description:
      'What the next message has to do; `INCLUDE_NOTICE`: tell of the processing (art. 14 GDPR), of which the person was never told.',
  }),
  agenciesAbstain: Type.Boolean({
    description: 'Whether an advert of the person asks agencies not to call.',
  }),
  lawfulBasis: nullable(
    oneOf(LAWFUL_BASIS_KINDS, { description: 'The recorded basis for contacting the person.' }),
  ),
  consentAt: nullable(time('When consent was given.')),
  noticeSentAt: nullable(time('When the person was told of the processing.')),
})

const none = { allowed: false, reason: 'NO_LAWFUL_BASIS' as const }

export const contactabilityExample: Static<typeof Contactability> = {
  ...none,
  message: 'No lawful basis for contacting this person is recorded.',
  channels: { chat: none, phone: none, email: none },
  obligations: [],
  agenciesAbstain: false,
  lawfulBasis: null,
  consentAt: null,
  noticeSentAt: null,
}
