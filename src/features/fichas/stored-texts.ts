/** All texts of sheets that may be about people. */
import { type RawBuilder, sql } from 'kysely'

/**
 * `prose`: may be a name; `place`: a single word is a place rather than a name; `agent`: of somebody who works for the
 * workspace, and may have the name of somebody else.
 */
export type TextKind = 'prose' | 'place' | 'agent'

/** Free text, with its kind. Other fields of a property are numbers and codes. */
const propertyTexts: Record<string, TextKind> = {
  title: 'prose',
  description: 'prose',
  reference: 'prose',
  floorText: 'place',
  address: 'place',
  neighbourhood: 'place',
  municipality: 'place',
  province: 'place',
  postcode: 'place',
}

const toObject = (json: RawBuilder<unknown>) =>
  sql`case when json_typeof(${json}) = 'object' then ${json} end`
const toArray = (json: RawBuilder<unknown>) => sql`case when json_typeof(${json}) = 'array' then ${json} end`
const kindOf = JSON.stringify(propertyTexts)

/**
 * Rows of `id, version, path, text, kind`. Version 0 is the sheet itself: its choices and its error. `path` leads to the
 * value in the JSON that holds the text.
 */
export const storedTexts = (tenantId: string) => sql`
  select s.id, s.version, t.path, t.text, t.kind from (
    select ficha_id as id, version, content, null as error from ficha_versions where tenant_id = ${tenantId}
    union all select id, 0, choices, error_message from fichas where tenant_id = ${tenantId}) s
  cross join lateral (
    select array['property', key] as path, value as text, ${kindOf}::json ->> key as kind
      from json_each_text(${toObject(sql`s.content -> 'property'`)}) where ${kindOf}::json ->> key is not null
    union all select array['photos', (at - 1)::text, 'alt'], photo ->> 'alt', 'prose'
      from json_array_elements(${toArray(sql`s.content -> 'photos'`)}) with ordinality photos (photo, at)
    union all select array['advertising', key], value, 'place' from json_each_text(${toObject(sql`s.content -> 'advertising'`)})
    union all select array['evidence', key, 'where'], value ->> 'where', 'place'
      from json_each(${toObject(sql`s.content -> 'evidence'`)})
    union all select array['agent'], value, 'agent' from json_each_text(${toObject(sql`s.content -> 'agent'`)})
      where key <> 'photoBlobId'
    union all select array['error'], s.error, 'prose') t
  where t.text is not null`
