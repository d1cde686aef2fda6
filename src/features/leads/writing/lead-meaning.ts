/** Which lead a written one is: by the writer's own id, where that is to be believed, or by whom and what it is of. */
import { agreesWith, type BearerFacts, exactKey, tellsOtherProperty } from '../../../domain/dedupe/same-id.ts'
import { findSameLead } from '../../../domain/dedupe/same-lead.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { LeadRow } from '../record/lead-row.ts'
import {
  type Bearer,
  bearersMax,
  findBearers,
  findOwn,
  findSharing,
  type KnownLead,
} from './lead-candidates.ts'

interface Named {
  /** The writer's own id of the lead, if it has one. */
  idAtSource: string | null
  /** That which the lead is to have. */
  externalId?: string | null
  /** Made up for this writing of it: nothing else has it. */
  sourceId: string
}

interface Written<D> {
  draft: D
  row: LeadRow
}

/** Under what the source of a written lead is kept; no two leads share a `listingId`. */
export interface SourceName {
  listingId: string
  /** The writer's own id, where another lead has it for its `listingId`. */
  externalId: string | null
}

export type Meaning<D> = Written<D> & {
  /** Null: it is a new lead. */
  leadId: string | null
  /** It is one that was written earlier in this batch; if that is a new lead, `leadId` is what it will be. */
  isRepeated: boolean
  source: SourceName
  /** Its id is that of other leads, and it is none of them. */
  isIdOfOthers: boolean
}

export interface MeaningOptions {
  /**
   * Whether one id is always one lead, and two are two, as with a program that counts its own. Of files nobody knows which
   * CRM wrote them: there an id is believed where something else agrees.
   */
  areIdsCertain: boolean
  /** Leads with two external ids are two, whatever else they have in common. */
  tellsExternalIdsApart?: boolean
  /** Of these leads, those that were written already by what is now being written. */
  findRepeated?(leadIds: string[]): Promise<Set<string>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `isWritten`: new in this batch. */
type Candidate = BearerFacts & {
  leadId: string
  isWritten: boolean
  hasId?: boolean
  externalIdOfLead: string | null
}
type Bearing = Candidate & { listingId: string }

/** In the order of the batch: each draft may be one that came before it. */
export async function findMeanings<D extends Named>(
  tx: Tx,
  platform: string,
  written: Written<D>[],
  options: MeaningOptions,
): Promise<Meaning<D>[]> {
  const asked = written.map(({ row }) => {
    const facts = factsOf(row)
    const values = [...facts.identifiers]
    return { facts, values, exact: values.length === 0 ? exactKey(facts) : null }
  })
  const ids = [...new Set(written.flatMap(({ draft }) => draft.idAtSource ?? []))]
  // Sent at once: none needs the answer to another.
  const [sharing, own, bearers] = await Promise.all([
    findSharing(tx, asked),
    findOwn(
      tx,
      ids.filter(id => uuid.test(id)),
    ),
    findBearers(tx, platform, ids),
  ])
  const sharers = options.areIdsCertain ? sharing.flat().map(({ leadId }) => leadId) : []
  const known = await openKnown({ own, bearers, sharers }, options)
  const writtenBy = new Map<string, Candidate[]>()
  return written.map(({ draft, row }, index): Meaning<D> => {
    const { facts, values, exact } = asked[index]!
    const signs = exact === null ? values : [exact]
    const isOther = ({ leadId, hasId, externalIdOfLead }: Candidate) =>
      (options.areIdsCertain && draft.idAtSource !== null && (hasId || known.taken.has(leadId))) ||
      (options.tellsExternalIdsApart &&
        ![draft.externalId ?? null, externalIdOfLead].includes(null) &&
        draft.externalId !== externalIdOfLead)
    const shared: Candidate[] = [
      ...signs.flatMap(sign => writtenBy.get(sign) ?? []),
      ...sharing[index]!.map(unwritten),
    ].filter(each => !isOther(each))
    const borne = draft.idAtSource === null ? [] : known.bearersOf(draft.idAtSource)
    const found =
      known.named(
        draft.idAtSource,
        facts,
        borne.filter(each => !isOther(each)),
      ) ?? findSameLead(facts, [...new Map(shared.map(each => [each.leadId, each])).values()])
    const isRepeated = found !== null && (found.isWritten || known.taken.has(found.leadId))
    const own = borne.find(({ leadId }) => leadId === found?.leadId)
    const source = own ? { listingId: own.listingId, externalId: null } : nameOf(draft, borne)
    const hasId = draft.idAtSource !== null
    const externalIdOfLead = draft.externalId ?? null
    const meant: Candidate = found ?? { ...facts, leadId: row.id, isWritten: true, hasId, externalIdOfLead }
    if (!own && draft.idAtSource !== null) borne.push({ ...meant, ...source })
    if (found) known.taken.add(found.leadId)
    else for (const sign of signs) writtenBy.set(sign, [...(writtenBy.get(sign) ?? []), meant])
    const isIdOfOthers = !own && source.externalId !== null
    return { draft, row, leadId: found?.leadId ?? null, isRepeated, source, isIdOfOthers }
  })
}

const unwritten = <F extends object>(lead: F) => ({ ...lead, isWritten: false })

function nameOf({ idAtSource: externalId, sourceId }: Named, borne: Bearing[]): SourceName {
  if (externalId === null) return { listingId: sourceId, externalId: null }
  return borne.length === 0
    ? { listingId: externalId, externalId: null }
    : { listingId: sourceId, externalId }
}

interface FoundByIds {
  own: KnownLead[]
  bearers: Bearer[]
  /** Leads that share an identifier with one of the batch, where ids are certain. */
  sharers: string[]
}

/** What is known by ids, before the batch and as it goes on. */
async function openKnown(found: FoundByIds, { areIdsCertain, findRepeated }: MeaningOptions) {
  const own = new Map(found.own.map(lead => [lead.leadId, unwritten(lead)]))
  const bearers: Map<string, Bearing[]> = Map.groupBy(
    found.bearers.map(unwritten),
    ({ externalId }) => externalId,
  )
  const taken = new Set<string>()
  const ofIds = [...own.keys(), ...[...bearers.values()].flat().map(({ leadId }) => leadId)]
  for (const leadId of (await findRepeated?.([...new Set([...ofIds, ...found.sharers])])) ?? [])
    taken.add(leadId)

  const isMeant = (facts: BearerFacts, bearer: Bearing) =>
    areIdsCertain ||
    (agreesWith(facts, bearer) &&
      // An id that comes again in one file, with another property, is no id of one lead.
      !((bearer.isWritten || taken.has(bearer.leadId)) && tellsOtherProperty(facts, bearer)))
  return {
    /** Those that are written already by what is now being written. */
    taken,
    /** The leads with this id; what joins them is to be added. */
    bearersOf(externalId: string): Bearing[] {
      const borne = bearers.get(externalId) ?? []
      bearers.set(externalId, borne)
      return borne
    },
    /** The lead that the id names. */
    named(externalId: string | null, facts: BearerFacts, borne: Bearing[]): Candidate | null {
      const certain = externalId === null ? undefined : own.get(externalId)
      if (certain) return certain
      if (borne.length > bearersMax) return null
      const meant = borne.filter(bearer => isMeant(facts, bearer))
      return meant.length === 1 ? meant[0]! : findSameLead(facts, meant)
    },
  }
}

function factsOf(row: LeadRow): BearerFacts {
  const values = [row.phone, row.email, ...(row.identifiers as string[])]
  return {
    name: row.contact_name,
    identifiers: [...new Set(values.filter(value => value !== null))],
    phone: row.phone,
    advertiserType: row.advertiser_type,
    operation: row.operation,
    propertyType: row.property_type,
    squareMeters: row.square_meters,
    price: row.price,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    floor: row.floor,
    latitude: row.latitude,
    longitude: row.longitude,
    address: row.address,
    municipality: row.municipality,
    postcode: row.postcode,
    condition: row.condition,
    features: row.features,
    title: row.title,
    description: row.description,
    images: row.images,
    url: row.url,
  } as unknown as BearerFacts
}
