/** Matches inputs with existing leads: by the writer's own id if it can be trusted, or by person and property. */
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
  findClosedLeads,
  findIdHolders,
  findLeadsSharingIdentifiers,
  type IdHolder,
  idHoldersMax,
} from './lead-candidates.ts'

interface SourcedRecord {
  /** The writer's own id of the lead, if it has one. */
  sourceRecordId: string | null
  /** The external id that the lead should get. */
  externalId?: string | null
  /** A unique id that is generated for this write. */
  generatedSourceId: string
  /** The person requests contact: a lead that may not be contacted is another one. */
  isRequest?: boolean
}

interface NewRecord<D> {
  input: D
  row: LeadRow
}

/** The key of the source of a lead. No two leads share a `listingId`. */
export interface SourceKey {
  listingId: string
  /** The writer's own id, if another lead has it as its `listingId`; else null. */
  externalId: string | null
}

export type LeadMatch<D> = NewRecord<D> & {
  /** Null: it is a new lead. */
  leadId: string | null
  /** The lead was written earlier in this batch. If that created it, `leadId` is its future id. */
  isDuplicate: boolean
  source: SourceKey
  /** Other leads have the same id, but it is none of them. */
  hasIdConflict: boolean
}

export interface MatchOptions {
  /**
   * True: the same id is always the same lead, and two ids are two leads, as for an API client. False for files,
   * whose origin is unknown: there, an id counts only if other facts agree.
   */
  areIdsTrusted: boolean
  /** Two different external ids are always two leads, whatever they have in common. */
  distinguishesExternalIds?: boolean
  /** They are known to be new: the lead of somebody else may have the same phone. */
  areNew?: boolean
  /** Returns the leads among these that the same import or batch has already written. */
  findAlreadyWritten?(leadIds: string[]): Promise<Set<string>>
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Candidate = IdentifiedFacts & {
  leadId: string
  /** It is new in this batch. */
  isNew: boolean
  /** It was written with an id of the writer, in this batch. */
  hasSourceId?: boolean
  currentExternalId: string | null
}
type HoldingCandidate = Candidate & { listingId: string }

/**
 * Matches each record, in order; a record may match an earlier one of the batch. `platform`: of the sources that know
 * the ids.
 */
export async function matchLeads<D extends SourcedRecord>(
  tx: Tx,
  platform: string,
  records: NewRecord<D>[],
  options: MatchOptions,
): Promise<LeadMatch<D>[]> {
  if (options.areNew)
    return records.map(({ input, row }) => {
      const source = toSourceKey(input, [])
      return { input, row, leadId: null, isDuplicate: false, source, hasIdConflict: false }
    })
  const queries = records.map(({ row }) => {
    const facts = toFacts(row)
    const values = [...facts.identifiers]
    return { facts, values, exact: values.length === 0 ? toExactKey(facts) : null }
  })
  const ids = [...new Set(records.flatMap(({ input }) => input.sourceRecordId ?? []))]
  const [sharingLeads, byId, holdersById] = await Promise.all([
    findLeadsSharingIdentifiers(tx, queries),
    findCandidatesById(
      tx,
      ids.filter(id => uuid.test(id)),
    ),
    findIdHolders(tx, platform, ids),
  ])
  const closedIds = await findClosedLeads(
    tx,
    sharingLeads.flatMap((leads, index) =>
      records[index]!.input.isRequest ? leads.map(({ leadId }) => leadId) : [],
    ),
  )
  const sharingIds = options.areIdsTrusted ? sharingLeads.flat().map(({ leadId }) => leadId) : []
  const context = await createIdContext({ byId, holdersById, sharingIds }, options)
  const newByKey = new Map<string, Candidate[]>()
  return records.map(({ input, row }, index): LeadMatch<D> => {
    const { facts, values, exact } = queries[index]!
    const keys = exact === null ? values : [exact]
    const isExcluded = ({ leadId, hasSourceId, currentExternalId }: Candidate) =>
      (input.isRequest && closedIds.has(leadId)) ||
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
    const holder = holders.find(({ leadId }) => leadId === found?.leadId)
    const source = holder ? { listingId: holder.listingId, externalId: null } : toSourceKey(input, holders)
    const hasSourceId = input.sourceRecordId !== null
    const currentExternalId = input.externalId ?? null
    const candidate: Candidate = found ?? {
      ...facts,
      leadId: row.id,
      isNew: true,
      hasSourceId,
      currentExternalId,
    }
    if (!holder && input.sourceRecordId !== null) holders.push({ ...candidate, ...source })
    if (found) context.writtenIds.add(found.leadId)
    else for (const key of keys) newByKey.set(key, [...(newByKey.get(key) ?? []), candidate])
    const hasIdConflict = !holder && source.externalId !== null
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
  /** If ids are trusted: leads that share an identifier with a record of the batch. */
  sharingIds: string[]
}

/** The leads by id: existing ones, and those that the batch adds. */
async function createIdContext(found: FoundByIds, { areIdsTrusted, findAlreadyWritten }: MatchOptions) {
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
      // If an id occurs twice in one file with different properties, it does not identify a lead.
      !((holder.isNew || writtenIds.has(holder.leadId)) && isOtherProperty(facts, holder)))
  return {
    /** The leads that this import or batch has written. */
    writtenIds,
    /** The leads with this id. The caller adds new ones to the returned array. */
    getHolders(externalId: string): HoldingCandidate[] {
      const holders = holdersById.get(externalId) ?? []
      holdersById.set(externalId, holders)
      return holders
    },
    /** The lead that the id identifies; null: none, or several are possible. */
    findById(
      externalId: string | null,
      facts: IdentifiedFacts,
      holders: HoldingCandidate[],
    ): Candidate | null {
      const certain = externalId === null ? undefined : byId.get(externalId)
      if (certain) return certain
      if (holders.length > idHoldersMax) return null
      const candidates = holders.filter(holder => isMatch(facts, holder))
      return candidates.length === 1 ? candidates[0]! : findSameLead(facts, candidates)
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
