/** Erases people from templates: a text may name the phone or the e-mail address of one person. */
import { sql } from 'kysely'
import { sqlNow } from '../../kit/clock/clock.ts'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { noParts } from '../../plugins/chat.ts'
import { containsAny, type ErasedPeople, type Traces } from '../privacy/service.ts'

const erasedName = 'Erased template'

/**
 * Handles `erasePersonData`: empties every version that contains an identifier of the people, and replaces such names
 * of templates. Names of people are no reason: a text is the agency's, and other people have the same name.
 */
export async function erasePeopleFromTemplates(tx: Tx, { identifiers }: ErasedPeople): Promise<Traces> {
  const tenantId = getTenantId(tx)
  const isTheirs = containsAny([], identifiers)
  // A concurrent change has read the texts and would store them again in its new version.
  await sql`select from templates where tenant_id = ${tenantId} order by id for no key update`.execute(tx)
  const versions = await sql<{ id: string }>`
    update template_versions v set body = '', parts = ${JSON.stringify(noParts)}, variables = '[]', erased_at = ${sqlNow(tx)}
    where v.tenant_id = ${tenantId} and (${isTheirs(sql`v.body`)} or exists (
      select from jsonb_path_query(jsonb_build_array(v.variables, v.parts), 'strict $.** ? (@.type() == "string" || @.type() == "number")') value
      where ${isTheirs(sql`value #>> '{}'`)}))
    returning v.template_id as id`.execute(tx)
  const names = await sql<{ id: string }>`
    update templates t set name = ${erasedName}
    where t.tenant_id = ${tenantId} and ${isTheirs(sql`t.name`)} returning t.id`.execute(tx)
  return { deleted: [], changed: [...new Set([...versions.rows, ...names.rows].map(({ id }) => id))] }
}
