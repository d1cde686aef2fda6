/** The schema of `contactability`: whether the person of a lead may be contacted, and why not. */
import { type contactChannels, lawfulBasisKinds } from '../../domain/contactability/facts.ts'
import { reasonCodes } from '../../domain/contactability/reasons.ts'
import { nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'

const allowed = Type.Boolean({ description: 'The person may be contacted through this channel.' })
const reason = nullable(
  oneOf(reasonCodes, { description: 'Why contact is not allowed; null: it is allowed.' }),
)
const channel = (name: string) => strictObject({ allowed, reason }, { description: `Contact by ${name}.` })

export const Contactability = strictObject(
  {
    allowed: Type.Boolean({ description: 'The person may be contacted through at least one channel.' }),
    reason,
    message: nullable(
      Type.String({ description: 'The reason as a sentence, for people; null: contact is allowed.' }),
    ),
    channels: strictObject(
      { chat: channel('chat'), phone: channel('phone'), email: channel('e-mail') } satisfies Record<
        (typeof contactChannels)[number],
        unknown
      >,
      { description: 'The decision for each channel.' },
    ),
    obligations: Type.Array(oneOf(['INCLUDE_NOTICE']), {
      description:
        'The obligations of the next message. `INCLUDE_NOTICE`: the notice about the processing of personal data (art. 14 GDPR), which the person has not received yet.',
    }),
    noAgencies: Type.Boolean({
      description: 'A listing of the person says that agencies should not call.',
    }),
    lawfulBasis: nullable(
      oneOf(lawfulBasisKinds, {
        description: 'The recorded lawful basis for contacting the person; null: none is recorded.',
      }),
    ),
    consentAt: nullable(time('When the person consented; null: no consent is recorded.')),
    noticeSentAt: nullable(time('When the person received the notice of the processing; null: not yet.')),
    answerUntil: nullable(
      time(
        'The person wrote lately: until then they may be answered in that conversation without a lawful basis; null: they did not, or they refuse messages.',
      ),
    ),
  },
  { description: 'Why the person may be contacted, or not.' },
)

const none = { allowed: false, reason: 'NO_LAWFUL_BASIS' as const }

export const contactabilityExample: Static<typeof Contactability> = {
  ...none,
  message: 'No lawful basis for contacting this person is recorded.',
  channels: { chat: none, phone: none, email: none },
  obligations: [],
  noAgencies: false,
  lawfulBasis: null,
  consentAt: null,
  noticeSentAt: null,
  answerUntil: null,
}
