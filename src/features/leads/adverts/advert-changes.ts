/** What adverts change in leads that are known: where nobody has stated otherwise. */
import { sql } from 'kysely'
import { placeKeys } from '../../../domain/dedupe/place-keys.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/event.ts'
import { idTime } from '../../../kit/id.ts'
import { storableJson } from '../../../kit/storable.ts'
import { leadPriceChanged } from '../events.ts'
import { type Column, columnNames, columns, contactColumns, toRow } from '../record/lead-columns.ts'
import type { LeadListing, Origin } from './lead-sources.ts'
import { fileUnderStreets } from './place-street.ts'

/** An advert seen of a lead. */
export type SeenListing = LeadListing & {
  /** The lead follows it; others fill gaps. */
  leads: boolean
  /** It was the lead's before this batch. */
  isKnown: boolean
  /** Its card was read now, and its whole page before. */
  isCardOnly: boolean
}

const lists = new Set<Column>(['features', 'images'])
/** What the advert no longer says is kept: a page that lost its phone does not lose the lead's. */
const kept = (name: Column) =>
  name === 'floor' ? 'case when i.floor_text is null then l.floor else i.floor end' : keptAlone(name)
const keptAlone = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(i.${name}, '{}'), l.${name})` : `coalesce(i.${name}, l.${name})`
/** Another portal's advert of the property fills gaps alone, so that two portals never rewrite a lead in turns. */
const filled = (name: Column) =>
  name === 'floor' ? 'case when l.floor_text is null then i.floor else l.floor end' : filledAlone(name)
const filledAlone = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(l.${name}, '{}'), i.${name})` : `coalesce(l.${name}, i.${name})`
/** Of what a page tells in whole, a card has the beginning. */
const cut = new Set<Column>(['description', 'features', 'images'])
const led = (name: Column) =>
  cut.has(name) ? `case when i.is_card_only then ${filled(name)} else ${kept(name)} end` : kept(name)
/** Whom somebody stated the contact to be, by telephone or else by address, is not whom the advert shows. */
const isOfAnother = `(
  'phone' = any(l.edited_columns) and l.phone <> i.phone
  or 'email' = any(l.edited_columns) and l.phone is null and l.email is distinct from i.email and l.email is not null)`
const held = (name: Column) => {
  const isEdited = `'${name}' = any(l.edited_columns)`
  return contactColumns.includes(name) ? `${isEdited} or ${isOfAnother}` : isEdited
}
const chosen = (name: Column) => `case when ${held(name)} then l.${name}
  when i.leads then ${led(name)} else ${filled(name)} end`
const assignments = sql.raw(columnNames.map(name => `${name} = ${chosen(name)}`).join(', '))
const isChanged = sql.raw(
  `(${columnNames.map(name => `l.${name}`).join(', ')}) is distinct from (${columnNames.map(chosen).join(', ')})`,
)
/**
 * By what the person was known so far is not forgotten when the advert shows another telephone: opt-outs, erasures and other
 * adverts are told by it.
 */
const identifiers = sql.raw(`case
  when (l.phone, l.email) is not distinct from (${chosen('phone')}, ${chosen('email')}) then l.identifiers
  else array(
    select value from unnest(l.identifiers || array[l.phone, l.email]) with ordinality known (value, n)
    where value is distinct from (${chosen('phone')}) and value is distinct from (${chosen('email')}) and value is not null
    group by value order by min(n)) end`)
const isPriceEdited = sql`'price' = any(l.edited_columns)`

/** Record type of `advertRows`, but for what is told of the advert itself. */
export const advertRecord = sql.raw(columnNames.map(name => `${name} ${columns[name]}`).join(', '))

/**
 * Returns the ids of the leads that changed. The history of prices tells what was asked, whatever the lead's own price is
 * stated to be; `lead.price_changed` is of an advert that asks another price than the one followed before.
 */
export async function changeLeads(
  tx: Tx,
  {
    platform,
    extractionId,
    updateExisting,
  }: Pick<Origin, 'platform' | 'extractionId'> & { updateExisting: boolean },
  now: Date,
  listings: SeenListing[],
): Promise<Set<string>> {
  if (listings.length === 0 || !updateExisting) return new Set()
  // Of two adverts of one lead a statement would take either.
  const ofLeads = new Map(
    listings.toSorted((a, b) => Number(a.leads) - Number(b.leads)).map(found => [found.leadId, found]),
  )
  const { rows } = await sql<Changed>`
    with i as materialized (
      select * from jsonb_to_recordset(${advertRows([...ofLeads.values()])}::jsonb)
        as i (id uuid, listing_id text, leads boolean, is_known boolean, is_card_only boolean, ${advertRecord})
    ), asked as materialized (
      -- Of a lead that is older than what is kept of this, its own price is what its advert asked.
      select l.id, b.price as before, i.leads and i.price is not null and i.price is distinct from b.price as is_new
      from leads l join i on i.id = l.id
      cross join lateral (
        select coalesce(l.asked_price, case when i.is_known and not ${isPriceEdited} then l.price end) as price) b
    )
    update leads l set updated_at = ${now}, ${assignments}, identifiers = ${identifiers},
      asked_price = case when i.leads then coalesce(i.price, l.asked_price) else l.asked_price end,
      price_history = case
        when i.leads and i.price is not null
          and (i.price <> a.before or i.price is distinct from l.price and (a.before is null or not ${isPriceEdited}))
        then l.price_history || jsonb_build_object('price', i.price, 'at', aldaba.iso_time(${now}::timestamptz))
        else l.price_history end
    from i, asked a
    where l.id = i.id and a.id = l.id and (a.is_new or ${isChanged})
    returning l.id, i.listing_id as "listingId", case when a.is_new then a.before::float8 end as "previousPrice",
      i.price::float8 as price, coalesce(i.currency, l.currency) as currency`.execute(tx)
  await emitMany(
    tx,
    leadPriceChanged,
    rows.flatMap(({ id, listingId, previousPrice, price, currency }) =>
      previousPrice === null || price === null
        ? []
        : [{ ...{ leadId: id, platform, extractionId, listingId }, previousPrice, price, currency }],
    ),
  )
  const changed = rows.map(row => row.id)
  await fileUnderStreets(tx, changed)
  return new Set(changed)
}

interface Changed {
  id: string
  listingId: string
  /** Null: it is not another one. */
  previousPrice: number | null
  price: number | null
  currency: string | null
}

/** Adverts as JSON of records, with the id and the moment of creation of each one's lead. */
export function advertRows(listings: (LeadListing & Partial<SeenListing>)[]): string {
  return storableJson(
    listings.map(({ leadId, listingId, listing, leads, isKnown, isCardOnly }) => ({
      id: leadId,
      // The order of ids is that of creation: both tell one moment.
      created_at: idTime(leadId),
      listing_id: listingId,
      leads,
      is_known: isKnown,
      is_card_only: isCardOnly,
      place_street: placeKeys(listing).street,
      ...toRow(listing),
    })),
  )
}
