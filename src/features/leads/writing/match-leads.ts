/** Which lead a written one is: by the writer's own id, where that is to be believed, or by whom and what it is of. */
import {
  type IdentifiedFacts,
  isOtherProperty,
  matchesLead,
  toExactKey,
} from '../../../domain/dedupe/same-id.ts'
import { findSameLead } from '../../../domain/dedupe/same-lead.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { LeadRow } from '../record/lead-row.ts'
import {
  type CandidateLead,
  findCandidatesById,
  findIdHolders,
  findLeadsSharingIdentifiers,
  type IdHolder,
  idHoldersMax,
} from './lead-candidates.ts'

interface SourcedRecord {
  /** The writer's own id of the lead, if it has one. */
  sourceRecordId: string | null
  /** That which the lead is to have. */
  externalId?: string | null
  /** Made up for this writing of it: nothing else has it. */
  generatedSourceId: string
}

interface NewRecord<D> {
  input: D
  row: LeadRow
}

/** Under what the source of a written lead is kept; no two leads share a `listingId`. */
export interface SourceKey {
  listingId: string
  /** The writer's own id, where another lead has it for its `listingId`. */
  externalId: string | null
}

export type LeadMatch<D> = NewRecord<D> & {
  /** Null: it is a new lead. */
  leadId: string | null
  /** It is one that was written earlier in this batch; if that is a new lead, `leadId` is what it will be. */
  isDuplicate: boolean
  source: SourceKey
  /** Its id is that of other leads, and it is none of them. */
  hasIdConflict: boolean
}

export interface MatchOptions {
  /**
   * Whether one id is always one lead, and two are two, as with a program that counts its own. Of files nobody knows which
   * CRM wrote them: there an id is believed where something else agrees.
   */
  areIdsTrusted: boolean
  /** Leads with two external ids are two, whatever else they have in common. */
  distinguishesExternalIds?: boolean
  /** Of these leads, those that were written already by what is now being written. */
  findAlreadyWritten?(leadIds: string[]): Promise<Set<string>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `isNew`: new in this batch. */
type Candidate = IdentifiedFacts & {
  leadId: string
  isNew: boolean
  hasSourceId?: boolean
  currentExternalId: string | null
}
type HoldingCandidate = Candidate & { listingId: string }

/** In the order of the batch: each draft may be one that came before it. */
export async function matchLeads<D extends SourcedRecord>(
  tx: Tx,
  platform: string,
  records: NewRecord<D>[],
  options: MatchOptions,
): Promise<LeadMatch<D>[]> {
  const queries = records.map(({ row }) => {
    const facts = toFacts(row)
    const values = [...facts.identifiers]
    return { facts, values, exact: values.length === 0 ? toExactKey(facts) : null }
  })
  const ids = [...new Set(records.flatMap(({ input }) => input.sourceRecordId ?? []))]
  // Sent at once: none needs the answer to another.
  const [sharingLeads, byId, holdersById] = await Promise.all([
    findLeadsSharingIdentifiers(tx, queries),
    findCandidatesById(
      tx,
      ids.filter(id => uuid.test(id)),
    ),
    findIdHolders(tx, platform, ids),
  ])
  const sharingIds = options.areIdsTrusted ? sharingLeads.flat().map(({ leadId }) => leadId) : []
  const context = await openKnown({ byId, holdersById, sharingIds }, options)
  const newByKey = new Map<string, Candidate[]>()
  return records.map(({ input, row }, index): LeadMatch<D> => {
    const { facts, values, exact } = queries[index]!
    const keys = exact === null ? values : [exact]
    const isExcluded = ({ leadId, hasSourceId, currentExternalId }: Candidate) =>
      (options.areIdsTrusted &&
        input.sourceRecordId !== null &&
        (hasSourceId || context.writtenIds.has(leadId))) ||
      (options.distinguishesExternalIds &&
        ![input.externalId ?? null, currentExternalId].includes(null) &&
        input.externalId !== currentExternalId)
    const shared: Candidate[] = [
      ...keys.flatMap(key => newByKey.get(key) ?? []),
      ...sharingLeads[index]!.map(asExisting),
    ].filter(each => !isExcluded(each))
    const holders = input.sourceRecordId === null ? [] : context.getHolders(input.sourceRecordId)
    const found =
      context.findById(
        input.sourceRecordId,
        facts,
        holders.filter(each => !isExcluded(each)),
      ) ?? findSameLead(facts, [...new Map(shared.map(each => [each.leadId, each])).values()])
    const isDuplicate = found !== null && (found.isNew || context.writtenIds.has(found.leadId))
    const byId = holders.find(({ leadId }) => leadId === found?.leadId)
    const source = byId ? { listingId: byId.listingId, externalId: null } : toSourceKey(input, holders)
    const hasSourceId = input.sourceRecordId !== null
    const currentExternalId = input.externalId ?? null
    const candidate: Candidate = found ?? {
      ...facts,
      leadId: row.id,
      isNew: true,
      hasSourceId,
      currentExternalId,
    }
    if (!byId && input.sourceRecordId !== null) holders.push({ ...candidate, ...source })
    if (found) context.writtenIds.add(found.leadId)
    else for (const key of keys) newByKey.set(key, [...(newByKey.get(key) ?? []), candidate])
    const hasIdConflict = !byId && source.externalId !== null
    return { input, row, leadId: found?.leadId ?? null, isDuplicate, source, hasIdConflict }
  })
}

const asExisting = <F extends object>(lead: F) => ({ ...lead, isNew: false })

function toSourceKey(
  { sourceRecordId: externalId, generatedSourceId }: SourcedRecord,
  holders: HoldingCandidate[],
): SourceKey {
  if (externalId === null) return { listingId: generatedSourceId, externalId: null }
  return holders.length === 0
    ? { listingId: externalId, externalId: null }
    : { listingId: generatedSourceId, externalId }
}

interface FoundByIds {
  byId: CandidateLead[]
  holdersById: IdHolder[]
  /** Leads that share an identifier with one of the batch, where ids are certain. */
  sharingIds: string[]
}

/** What is known by ids, before the batch and as it goes on. */
async function openKnown(found: FoundByIds, { areIdsTrusted, findAlreadyWritten }: MatchOptions) {
  const byId = new Map(found.byId.map(lead => [lead.leadId, asExisting(lead)]))
  const holdersById: Map<string, HoldingCandidate[]> = Map.groupBy(
    found.holdersById.map(asExisting),
    ({ externalId }) => externalId,
  )
  const writtenIds = new Set<string>()
  const candidateIds = [...byId.keys(), ...[...holdersById.values()].flat().map(({ leadId }) => leadId)]
  for (const leadId of (await findAlreadyWritten?.([...new Set([...candidateIds, ...found.sharingIds])])) ??
    [])
    writtenIds.add(leadId)

  const isMatch = (facts: IdentifiedFacts, holder: HoldingCandidate) =>
    areIdsTrusted ||
    (matchesLead(facts, holder) &&
      // An id that comes again in one file, with another property, is no id of one lead.
      !((holder.isNew || writtenIds.has(holder.leadId)) && isOtherProperty(facts, holder)))
  return {
    /** Those that are written already by what is now being written. */
    writtenIds,
    /** The leads with this id; what joins them is to be added. */
    getHolders(externalId: string): HoldingCandidate[] {
      const holders = holdersById.get(externalId) ?? []
      holdersById.set(externalId, holders)
      return holders
    },
    /** The lead that the id names. */
    findById(
      externalId: string | null,
      facts: IdentifiedFacts,
      holders: HoldingCandidate[],
    ): Candidate | null {
      const certain = externalId === null ? undefined : byId.get(externalId)
      if (certain) return certain
      if (holders.length > idHoldersMax) return null
      const candidate = holders.filter(holder => isMatch(facts, holder))
      return candidate.length === 1 ? candidate[0]! : findSameLead(facts, candidate)
    },
  }
}

function toFacts(row: LeadRow): IdentifiedFacts {
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
  } as unknown as IdentifiedFacts
}
