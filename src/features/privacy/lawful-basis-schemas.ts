/** The schemas of the lawful basis of a lead. */
import { contactChannels, lawfulBasisKinds } from '../../domain/contactability/facts.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time, visible } from '../../kit/schema.ts'

const kind = oneOf(lawfulBasisKinds, {
  description:
    'The lawful basis of art. 6(1) GDPR. `contract` includes what the person requested before a contract: a visit, a valuation, a call back.',
})
const proof = Type.String({
  minLength: 1,
  maxLength: 5000,
  pattern: visible,
  description:
    'The proof of the basis: the words of the consent and where it was given, or who attests it. Consent without proof does not count.',
})
const channels = Type.Array(oneOf(contactChannels), {
  minItems: 1,
  maxItems: contactChannels.length,
  uniqueItems: true,
  description:
    'The channels that the basis covers. Null: those that its kind covers by default: all channels, but for legitimate interest only `phone`.',
})
const recordedAt = time('When the basis begins; for consent, when it was given.')
const expiresAt = time('When the basis expires; null: never.')
const noticeSentAt = time('When the person received the notice of the processing; null: not yet.')

export const NewLawfulBasis = strictObject(
  {
    kind,
    recordedAt: Type.Optional(
      time('When the basis begins; for consent, when it was given. Not in the future; if omitted, now.'),
    ),
    proof: Type.Optional(nullable(proof)),
    channels: Type.Optional(nullable(channels)),
    expiresAt: Type.Optional(nullable(expiresAt)),
    noticeSentAt: Type.Optional(
      nullable(
        time('When the person received the notice of the processing; if omitted, the recorded time is kept.'),
      ),
    ),
  },
  { title: 'NewLawfulBasis', description: 'Why the person may be contacted, with its proof.' },
)

export const LawfulBasis = strictObject(
  {
    kind,
    recordedAt,
    proof: nullable(proof),
    channels: nullable(channels),
    expiresAt: nullable(expiresAt),
    noticeSentAt: nullable(noticeSentAt),
    recordedBy: nullable(id('The user who recorded it; null: the key belongs to no user.')),
  },
  { title: 'LawfulBasis', description: 'Why the person may be contacted, with its proof.' },
)

export type NewLawfulBasis = Static<typeof NewLawfulBasis>

export const newLawfulBasisExample: NewLawfulBasis = {
  kind: 'consent',
  recordedAt: '2026-11-02T11:00:00.000Z',
  proof: 'Ticked “You may write to me about selling my flat” in the valuation form of 2 November 2026.',
  channels: ['chat', 'email'],
  expiresAt: null,
  noticeSentAt: '2026-11-02T11:00:00.000Z',
}
export const lawfulBasisExample: Static<typeof LawfulBasis> = {
  kind: 'consent',
  recordedAt: '2026-11-02T11:00:00.000Z',
  proof: 'Ticked “You may write to me about selling my flat” in the valuation form of 2 November 2026.',
  channels: ['chat', 'email'],
  expiresAt: null,
  noticeSentAt: '2026-11-02T11:00:00.000Z',
  recordedBy: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
}
