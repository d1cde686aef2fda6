/**
 * How a connection to PostgreSQL is opened and prepared. Settings are made by statements once it is open, and not by the startup
 * parameter `options`, which poolers such as PgBouncer refuse.
 */
import pg from 'pg'
import type { HashPads } from '../identifier-hash.ts'

/** What a connection is for. */
export interface ConnectionOptions {
  /** The role that it acts as; the user of the address unless given. */
  role?: string
  /** Server settings by name, for as long as the connection lasts. */
  settings?: Record<string, string>
  /** Without them, statements that hash identifiers of people fail. */
  hashPads?: HashPads | undefined
}

/** What pg needs to connect. Call `prepareConnection` on the client before anything else. */
export function connectionConfig(databaseUrl: string): pg.ClientConfig {
  return {
    connectionString: databaseUrl,
    application_name: `aldaba pid ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: { getTypeParser },
  }
}

/** Sets role and settings of a connection that was just opened. They win over the operator's own. */
export async function prepareConnection(
  client: pg.ClientBase,
  { role, settings = {}, hashPads }: ConnectionOptions,
): Promise<void> {
  const all = { search_path: 'aldaba,public', timezone: 'UTC', ...(role ? { role } : {}), ...settings }
  await client.query(
    'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)',
    [Object.keys(all), Object.values(all)],
  )
  if (hashPads) await giveHashPads(client, hashPads)
}

/**
 * Gives the connection what `aldaba.identifier_hash()` reads. A server may log every statement with its parameters, but it logs
 * no result: it returns a random mask, and the pads are sent under it.
 */
async function giveHashPads(client: pg.ClientBase, { inner, outer }: HashPads): Promise<void> {
  const { rows } = await client.query<{ mask: Buffer }>('select aldaba.make_pads_mask() as mask')
  const mask = rows[0]!.mask
  const pads = Buffer.from(inner + outer, 'hex')
  await client.query('select aldaba.take_hash_pads($1)', [pads.map((byte, i) => byte ^ mask[i]!)])
}

const numberTypes = new Set([20 /* int8 */, 1700 /* numeric */])

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return numberTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format as 'text')
}
