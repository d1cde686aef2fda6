/** Decides who may be contacted: each rule, the order of rules, channels, and invariants. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getAnswerEnd, isWithinAnswerPeriod } from './answers.ts'
import { type ContactPlan, decideContactability } from './contactability.ts'
import {
  type Channel,
  type ContactFacts,
  contactChannels,
  type LawfulBasis,
  lawfulBasisKinds,
  type Suppression,
  suppressionKinds,
} from './facts.ts'
import type { ReasonCode } from './reasons.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const now = instant('2026-11-10T12:00:00Z')
const before = instant('2026-11-01T09:30:00Z')
const after = instant('2026-11-10T12:00:00.001Z')

const consent: LawfulBasis = {
  kind: 'consent',
  recordedAt: before,
  proof: 'Widget of the agency’s site, text of 2026-10.',
  channels: null,
  expiresAt: null,
}
const contactable: ContactFacts = {
  identifiers: { chat: true, phone: true, email: true },
  lawfulBasis: consent,
  noticeSentAt: before,
  suppressions: [],
  noAgencies: false,
  retentionEndsAt: null,
  isErased: false,
  status: 'new',
}

const basis = (change: Partial<LawfulBasis>) => (facts: ContactFacts) => ({
  ...facts,
  lawfulBasis: { ...consent, ...facts.lawfulBasis, ...change },
})
const suppressed =
  (kind: Suppression['kind'], channel: Channel | null = null) =>
  (facts: ContactFacts): ContactFacts => ({
    ...facts,
    suppressions: [...facts.suppressions, { kind, channel, source: 'Lista Robinson', addedAt: before }],
  })
const fact = (change: Partial<ContactFacts>) => (facts: ContactFacts) => ({ ...facts, ...change })

/** Facts that forbid contact in order of priority, and if they are final. */
const forbidding: [what: string, ReasonCode, isFinal: boolean, (facts: ContactFacts) => ContactFacts][] = [
  ['an erased person', 'ERASED', true, fact({ isErased: true })],
  ['an opt-out', 'OPTED_OUT', true, suppressed('opt_out')],
  ['an exclusion list', 'SUPPRESSED', false, suppressed('exclusion_list')],
  ['refused marketing', 'MARKETING_REFUSED', false, suppressed('marketing')],
  ['a listing that excludes agencies', 'NO_AGENCIES', false, fact({ noAgencies: true })],
  ['retention that ends now', 'RETENTION_EXPIRED', false, fact({ retentionEndsAt: now })],
  ['a discarded lead', 'DISCARDED', false, fact({ status: 'discarded' })],
  ['a basis in the future', 'NO_LAWFUL_BASIS', false, basis({ recordedAt: after })],
  ['a basis that ends now', 'BASIS_EXPIRED', false, basis({ expiresAt: now })],
  ['consent without proof', 'BASIS_NOT_PROVEN', false, basis({ proof: ' ' })],
  ['a basis for no channel', 'CHANNEL_NOT_COVERED', false, basis({ channels: [] })],
  ['no identifier', 'NO_CHANNEL', false, fact({ identifiers: { chat: false, phone: false, email: false } })],
]

test('without obstacles, a person may be contacted through every channel', () => {
  const allowed = { allowed: true, reason: null }
  expect(decideContactability(contactable, { now })).toEqual({
    ...allowed,
    message: null,
    isFinal: false,
    channels: { chat: allowed, phone: allowed, email: allowed },
    obligations: [],
  })
})

describe('each rule alone', () => {
  test.each(forbidding)('%s: %s', (_what, reason, isFinal, change) => {
    const no = { allowed: false, reason }
    const answer = decideContactability(change(contactable), { now })
    expect(answer).toMatchObject({ ...no, isFinal, channels: { chat: no, phone: no, email: no } })
    expect(answer.message).toMatch(/^[A-Z].*\.$/)
    expect(answer.obligations).toEqual([])
  })

  const more: [string, ReasonCode | null, (facts: ContactFacts) => ContactFacts, Partial<ContactPlan>?][] = [
    ['an erasure entry for any channel', 'ERASED', suppressed('erased', 'email'), { channel: 'phone' }],
    ["the workspace's own list", 'SUPPRESSED', suppressed('manual')],
    ['no basis at all', 'NO_LAWFUL_BASIS', fact({ lawfulBasis: null })],
    ['a basis recorded now', null, basis({ recordedAt: now })],
    ['a basis that ends later', null, basis({ expiresAt: after })],
    ['consent without any proof', 'BASIS_NOT_PROVEN', basis({ proof: null })],
    ['a contract without proof', null, basis({ kind: 'contract', proof: null })],
    ['retention that ends later', null, fact({ retentionEndsAt: after })],
    ['a lost lead', null, fact({ status: 'lost' })],
    [
      'a private workspace, with a listing that excludes agencies',
      null,
      fact({ noAgencies: true }),
      { as: 'private' },
    ],
    ['an agency, explicitly', 'NO_AGENCIES', fact({ noAgencies: true }), { as: 'agency' }],
  ]
  test.each(more)('%s: %s', (_what, reason, change, plan = {}) => {
    expect(decideContactability(change(contactable), { now, ...plan })).toMatchObject({
      allowed: reason === null,
      reason,
    })
  })
})

describe('an answer to the person', () => {
  const refusing: ReasonCode[] = ['ERASED', 'OPTED_OUT', 'SUPPRESSED']
  test.each(forbidding)('%s: %s', (_what, reason, _isFinal, change) => {
    const answer = decideContactability(change(contactable), { now, channel: 'chat', isAnswer: true })
    expect(answer).toMatchObject({
      allowed: !refusing.includes(reason),
      reason: refusing.includes(reason) ? reason : null,
    })
  })

  test('is refused only through the channel that the person refuses', () => {
    const facts = suppressed('opt_out', 'chat')(contactable)
    const decide = (channel: Channel) => decideContactability(facts, { now, channel, isAnswer: true }).allowed
    expect([decide('chat'), decide('email')]).toEqual([false, true])
  })

  test('may be sent for 30 days', () => {
    const wroteAt = instant('2026-11-01T09:30:00Z')
    const isWithin = (text: string) => isWithinAnswerPeriod(wroteAt, instant(text))
    expect(isWithin('2026-12-01T09:29:59Z')).toBe(true)
    expect(isWithin('2026-12-01T09:30:00Z')).toBe(false)
    expect(getAnswerEnd(wroteAt).toString()).toBe('2026-12-01T09:30:00Z')
    expect(isWithinAnswerPeriod(null, wroteAt)).toBe(false)
  })
})

describe('the first applicable rule gives the reason', () => {
  const pairs = forbidding.flatMap((first, index) =>
    forbidding.slice(index + 1).map(second => ({ first, second })),
  )
  test.each(pairs)('$first.1 before $second.1', ({ first, second }) => {
    const facts = first[3](second[3](contactable))
    expect(decideContactability(facts, { now }).reason).toBe(first[1])
  })

  test('consent recorded after an opt-out does not outweigh it', () => {
    const facts = suppressed('opt_out')(basis({ recordedAt: now })(contactable))
    expect(decideContactability(facts, { now })).toMatchObject({ reason: 'OPTED_OUT', isFinal: true })
  })
})

describe('channels', () => {
  const cases: [string, ContactFacts, Record<Channel, ReasonCode | null>][] = [
    [
      'of a suppression',
      suppressed('opt_out', 'phone')(contactable),
      { chat: null, phone: 'OPTED_OUT', email: null },
    ],
    [
      'of a basis',
      basis({ channels: ['email'] })(contactable),
      { chat: 'CHANNEL_NOT_COVERED', phone: 'CHANNEL_NOT_COVERED', email: null },
    ],
    [
      'of legitimate interest: calls',
      basis({ kind: 'legitimate_interest' })(contactable),
      { chat: 'CHANNEL_NOT_COVERED', phone: null, email: 'CHANNEL_NOT_COVERED' },
    ],
    [
      'of legitimate interest with another channel',
      basis({ kind: 'legitimate_interest', channels: ['chat'] })(contactable),
      { chat: null, phone: 'CHANNEL_NOT_COVERED', email: 'CHANNEL_NOT_COVERED' },
    ],
    ['of a contract', basis({ kind: 'contract' })(contactable), { chat: null, phone: null, email: null }],
    [
      'of the identifiers',
      fact({ identifiers: { chat: false, phone: false, email: true } })(contactable),
      { chat: 'NO_CHANNEL', phone: 'NO_CHANNEL', email: null },
    ],
  ]
  test.each(cases)('%s', (_what, facts, expected) => {
    const { channels, allowed } = decideContactability(facts, { now })
    expect(allowed).toBe(true)
    for (const channel of contactChannels) {
      expect([channel, channels[channel].reason]).toEqual([channel, expected[channel]])
      expect(decideContactability(facts, { now, channel })).toMatchObject(channels[channel])
    }
  })

  test('an opt-out of the only channel is not final, because another may become known', () => {
    const facts = fact({ identifiers: { chat: false, phone: true, email: false } })(
      suppressed('opt_out', 'phone')(contactable),
    )
    expect(decideContactability(facts, { now })).toMatchObject({ reason: 'OPTED_OUT', isFinal: false })
    expect(decideContactability(facts, { now, channel: 'phone' }).isFinal).toBe(true)
  })
})

test('the message for a suppression has its source and date', () => {
  const facts = suppressed('exclusion_list')(contactable)
  expect(decideContactability(facts, { now }).message).toBe(
    'This person is on the suppression list; only the removal of the entry changes that. Source: Lista Robinson, 2026-11-01.',
  )
})

test.each([
  ['without notice', null, ['INCLUDE_NOTICE']],
  ['with a notice in the future', after, ['INCLUDE_NOTICE']],
  ['with a notice', now, []],
] as const)('obligations for a person %s', (_what, noticeSentAt, obligations) => {
  expect(decideContactability({ ...contactable, noticeSentAt }, { now }).obligations).toEqual(obligations)
})

describe('for all facts', () => {
  const anyInstant = fc.constantFrom(before, now, after)
  const channel = fc.option(fc.constantFrom(...contactChannels))
  const suppression: fc.Arbitrary<Suppression> = fc.record({
    kind: fc.constantFrom(...suppressionKinds),
    channel,
    source: fc.string(),
    addedAt: anyInstant,
  })
  const facts: fc.Arbitrary<ContactFacts> = fc.record({
    identifiers: fc.record({ chat: fc.boolean(), phone: fc.boolean(), email: fc.boolean() }),
    lawfulBasis: fc.option(
      fc.record({
        kind: fc.constantFrom(...lawfulBasisKinds),
        recordedAt: anyInstant,
        proof: fc.constantFrom(null, '', 'form'),
        channels: fc.option(fc.subarray([...contactChannels])),
        expiresAt: fc.option(anyInstant),
      }),
    ),
    noticeSentAt: fc.option(anyInstant),
    suppressions: fc.oneof(fc.constant([]), fc.array(suppression, { maxLength: 3 })),
    noAgencies: fc.boolean(),
    retentionEndsAt: fc.option(anyInstant),
    isErased: fc.boolean(),
    status: fc.constantFrom('new', 'won', 'lost', 'discarded'),
  })
  const plan: fc.Arbitrary<ContactPlan> = fc.record({
    now: fc.constant(now),
    channel,
    as: fc.constantFrom('agency', 'private'),
  })

  test('an additional suppression never allows what was forbidden', () => {
    fc.assert(
      fc.property(facts, plan, suppression, fc.nat(3), (known, planned, entry, place) => {
        const without = decideContactability(known, planned)
        const suppressions = known.suppressions.toSpliced(place, 0, entry)
        const withEntry = decideContactability({ ...known, suppressions }, planned)
        expect(withEntry.allowed && !without.allowed).toBe(false)
        for (const one of contactChannels)
          expect(withEntry.channels[one].allowed && !without.channels[one].allowed).toBe(false)
      }),
    )
  })

  test('without a basis, nobody may be contacted', () => {
    fc.assert(
      fc.property(facts, plan, (known, planned) => {
        expect(decideContactability({ ...known, lawfulBasis: null }, planned).allowed).toBe(false)
      }),
    )
  })

  test('there is a reason exactly if contact is forbidden, and allowed contact has an allowed channel', () => {
    fc.assert(
      fc.property(facts, plan, (known, planned) => {
        const { allowed, reason, message, channels, isFinal } = decideContactability(known, planned)
        const requestedChannels = planned.channel ? [planned.channel] : contactChannels
        expect(requestedChannels.some(one => channels[one].allowed)).toBe(allowed)
        expect([reason === null, message === null]).toEqual([allowed, allowed])
        expect(isFinal && allowed).toBe(false)
        for (const one of Object.values(channels)) expect(one.reason === null).toBe(one.allowed)
      }),
    )
  })
})

test('who has no address of the channel may have one of another', () => {
  const facts = fact({ identifiers: { chat: false, phone: false, email: true } })(contactable)
  const explain = (channel: 'chat' | 'phone' | 'email') =>
    decideContactability(facts, { now, channel }).message
  expect(explain('chat')).toBe('No valid phone number or chat address of this person is known.')
  expect(explain('phone')).toBe('No valid phone number of this person is known.')
  expect(explain('email')).toBeNull()
  const nobody = fact({ identifiers: { chat: false, phone: false, email: false } })(contactable)
  expect(decideContactability(nobody, { now, channel: 'email' }).message).toBe(
    'No e-mail address of this person is known.',
  )
  expect(decideContactability(nobody, { now }).message).toBe(
    'No valid phone number or address of this person is known.',
  )
})
