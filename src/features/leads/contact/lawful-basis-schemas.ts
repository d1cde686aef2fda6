/** What the lawful basis of a lead looks like from outside. */
import { CHANNELS, LAWFUL_BASIS_KINDS } from '../../../domain/contactability/facts.ts'
import { closed, id, nullable, oneOf, type Static, Type, time } from '../../../kit/schema.ts'

const kind = oneOf(LAWFUL_BASIS_KINDS, {
  description:
    'Art. 6(1) GDPR. `contract` is also what the person asked for before one: a visit, a valuation, a call back.',
})
const proof = Type.String({
  ...{ minLength: 1, maxLength: 5000, pattern: '\\S' },
  description:
    'What shows it: the words of the consent and where they were given, who attested it. Consent without it counts for nothing.',
})
const channels = Type.Array(oneOf(CHANNELS), {
  ...{ minItems: 1, maxItems: CHANNELS.length, uniqueItems: true },
  description:
    'Those it was given or weighed for. Null: those its kind covers by itself, which for legitimate interest is the telephone alone.',
})
const recordedAt = time('From when it holds: for consent, when it was given.')
const expiresAt = time('From when it holds no longer.')
const noticeSentAt = time('When the person was told of the processing.')

export const NewLawfulBasis = closed(
  {
    kind,
    recordedAt: Type.Optional(
      time('From when it holds: for consent, when it was given. Not to come; now, if left out.'),
    ),
    proof: Type.Optional(nullable(proof)),
    channels: Type.Optional(nullable(channels)),
    expiresAt: Type.Optional(nullable(expiresAt)),
    noticeSentAt: Type.Optional(
      nullable(time('When the person was told of the processing; as it was recorded, if left out.')),
    ),
  },
  { title: 'NewLawfulBasis' },
)

export const LawfulBasis = closed(
  {
    kind,
    recordedAt,
    proof: nullable(proof),
    channels: nullable(channels),
    expiresAt: nullable(expiresAt),
    noticeSentAt: nullable(noticeSentAt),
    recordedBy: nullable(id('Who made the key that it was recorded with.')),
  },
  { title: 'LawfulBasis' },
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
