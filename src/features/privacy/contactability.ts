/** Computes `contactability` for every JSON of a lead: the database selects the facts, the domain rules decide. */

import { type RawBuilder, sql } from 'kysely'
import { getAnswerEnd, isWithinAnswerPeriod } from '../../domain/contactability/answers.ts'
import { decideContactability } from '../../domain/contactability/contactability.ts'
import type { Channel, ContactFacts, LawfulBasisKind } from '../../domain/contactability/facts.ts'
import { computeRetentionEnd } from '../../domain/contactability/retention.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { Static } from '../../kit/schema.ts'
import type { Contactability } from './contactability-schemas.ts'
import { suppressionFacts, toSuppression } from './suppression-list.ts'

/** SQL: the kinds of the identifiers of a lead `l` as letters, perhaps repeated: `p` phone, `e` e-mail, `c` chat. */
export const identifierKinds = `case when l.phone is not null then 'p' else '' end || case when l.email is not null then 'e' else '' end
  || case when cardinality(l.identifiers) > 0 then (
    select string_agg(case when value like '+%' then 'p' when strpos(value, ':') > 0 then 'c' else 'e' end, '')
    from unnest(l.identifiers) value) else '' end`

/** SQL: the time of the newest note on a lead `l`. Ids are UUIDv7: the last id is the newest. */
export const lastNoteAt = (tx: Tx): RawBuilder<unknown> => sql`case when l.notes_count > 0 then (
  select n.created_at from notes n where n.tenant_id = ${getTenantId(tx)} and n.lead_id = l.id
  order by n.tenant_id desc, n.lead_id desc, n.id desc limit 1) end`

/**
 * SQL: the facts about the person of a lead `l` as a list of texts for `readFacts`. Needs `source_summary` with
 * `no_agencies`, `last_seen_at` and `retention_months`. The list is short if little is recorded: many leads then have
 * equal lists, and their decision is computed once.
 */
export const contactFacts = (tx: Tx): RawBuilder<unknown> => sql`array_to_json(
  ${basisFacts} || ${retentionFacts(tx)} || ${suppressionFacts(tx)})`

const basisFacts = sql.raw(`array[${identifierKinds}, l.status, source_summary.no_agencies::text]
  || case when l.last_reply_at is null then '{}' else array['reply', aldaba.iso_time(l.last_reply_at)] end
  || case when l.lawful_basis is null and l.notice_sent_at is null then '{}' else array['basis',
    l.lawful_basis, aldaba.iso_time(l.lawful_basis_at), (l.lawful_basis_proof is not null)::text,
    array_to_string(l.lawful_basis_channels, ','), aldaba.iso_time(l.lawful_basis_expires_at),
    aldaba.iso_time(l.consent_at), aldaba.iso_time(l.notice_sent_at)] end`)

const retentionFacts = (
  tx: Tx,
) => sql`case when source_summary.retention_months is null then '{}' else array['retention', source_summary.retention_months::text,
    aldaba.iso_time(l.created_at), aldaba.iso_time(l.last_contacted_at), aldaba.iso_time(l.last_reply_at),
    aldaba.iso_time(source_summary.last_seen_at), aldaba.iso_time(${lastNoteAt(tx)}), aldaba.iso_time(l.status_changed_at)] end`

/**
 * Returns a function from facts to the JSON of `contactability`. `selected`: only these fields. All decisions are for
 * the time `now`; those for equal facts are computed once.
 */
export function createContactabilityFormatter(
  now: Temporal.Instant,
  selected: ReadonlySet<string> | 'all' = 'all',
): (facts: string) => string {
  const cache = new Map<string, string>()
  return facts => {
    const cached = cache.get(facts)
    if (cached) return cached
    const contactability = toContactability(JSON.parse(facts), now)
    const json = JSON.stringify(selected === 'all' ? contactability : pick(contactability, selected))
    cache.set(facts, json)
    return json
  }
}

function pick(whole: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.has(name)))
}

function toContactability(values: (string | null)[], now: Temporal.Instant): Static<typeof Contactability> {
  const { facts, consentAt, lastReplyAt } = readFacts(values)
  const { allowed, reason, message, channels, obligations } = decideContactability(facts, { now })
  return {
    allowed,
    reason,
    message,
    channels,
    obligations,
    noAgencies: facts.noAgencies,
    lawfulBasis: facts.lawfulBasis?.kind ?? null,
    consentAt,
    noticeSentAt: formatInstant(facts.noticeSentAt),
    answerUntil: formatInstant(findAnswerEnd(facts, lastReplyAt, now)),
  }
}

/** The end of the period in which the person may be answered; null: they did not write lately, or refuse answers. */
function findAnswerEnd(
  facts: ContactFacts,
  lastReplyAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (lastReplyAt === null || !isWithinAnswerPeriod(lastReplyAt, now)) return null
  const { channels } = decideContactability(facts, { now, isAnswer: true })
  const isOpen = (['chat', 'email'] as const).some(
    channel => facts.identifiers[channel] && channels[channel].allowed,
  )
  return isOpen ? getAnswerEnd(lastReplyAt) : null
}

type Fact = string | null

/** Reads what `contactFacts` selects. */
export function readFacts(values: Fact[]): {
  facts: ContactFacts
  consentAt: string | null
  lastReplyAt: Temporal.Instant | null
} {
  const [kinds, status, noAgencies] = values
  const has = (letter: string) => kinds!.includes(letter)
  const reply = readPart(values, 'reply', 2)
  const basis = readPart(values, 'basis', 8)
  const retention = readPart(values, 'retention', 8)
  return {
    consentAt: basis[6] ?? null,
    lastReplyAt: parseInstant(reply[1]),
    facts: {
      // A chat can be started with a phone number.
      identifiers: { chat: has('c') || has('p'), phone: has('p'), email: has('e') },
      status: status as ContactFacts['status'],
      noAgencies: noAgencies === 'true',
      lawfulBasis: parseBasis(basis),
      noticeSentAt: parseInstant(basis[7]),
      // A person who was won is a customer: other rules apply to contracts.
      retentionEndsAt: status === 'won' ? null : readRetention(retention),
      suppressions: values
        .slice(3 + reply.length + basis.length + retention.length)
        .map(text => toSuppression(text!))
        .sort((one, other) => Temporal.Instant.compare(one.addedAt, other.addedAt)),
      // Erased people have no leads.
      isErased: false,
    },
  }
}

/** The part of the list that begins with its name; empty if it is missing. */
function readPart(values: Fact[], name: string, length: number): Fact[] {
  // The parts follow the kinds, the status and `no_agencies`.
  const index = values.indexOf(name, 3)
  return index < 0 ? [] : values.slice(index, index + length)
}

function parseBasis([
  ,
  kind,
  recordedAt,
  hasProof,
  channels,
  expiresAt,
]: Fact[]): ContactFacts['lawfulBasis'] {
  if (!kind) return null
  return {
    kind: kind as LawfulBasisKind,
    recordedAt: Temporal.Instant.from(recordedAt!),
    // The rules need to know only that there is a proof.
    proof: hasProof === 'true' ? 'recorded' : null,
    channels: channels == null ? null : (channels.split(',') as Channel[]),
    expiresAt: parseInstant(expiresAt),
  }
}

function readRetention([, months, createdAt, ...later]: Fact[]) {
  if (!months) return null
  const [lastContactedAt, lastReplyAt, lastSeenAt, lastNoteAt, statusChangedAt] = later.map(parseInstant)
  const contacts = {
    createdAt: Temporal.Instant.from(createdAt!),
    lastContactedAt: lastContactedAt!,
    lastReplyAt: lastReplyAt!,
    lastSeenAt: lastSeenAt!,
    lastNoteAt: lastNoteAt!,
    statusChangedAt: statusChangedAt!,
  }
  return computeRetentionEnd(contacts, { months: Number(months) })
}

function parseInstant(text: string | null | undefined): Temporal.Instant | null {
  return text == null ? null : Temporal.Instant.from(text)
}

function formatInstant(at: Temporal.Instant | null): string | null {
  return at?.toString({ smallestUnit: 'millisecond' }) ?? null
}
