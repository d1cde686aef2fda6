/**
 * Keeps the leads of a CRM in step with Aldaba. The CRM is a table of SQLite here: put your own in place of `Crm`.
 * `ALDABA_URL=… KEY=… node keep-in-step.ts crm.sqlite [--once]`
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AldabaError, type Client, createClient, type Lead, type WebhookEvent } from '../../sdk/index.ts'

const pollMs = Number(process.env.POLL_MS ?? 5000)

/** Leads by id, as the CRM has to store them; null: the CRM has to remove the lead. */
type Changes = Map<string, Lead | null>

export class Crm {
  readonly #db: DatabaseSync

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 5000 })
    this.#db.exec(`
      create table if not exists leads (
        id text primary key, external_id text, name text, phone text, status text, title text, price real, tags text, copy integer);
      create table if not exists state (after text, copy integer);
      insert into state select null, 0 where not exists (select 1 from state)`)
  }

  /** The position in the feed to continue after; null: a complete copy is needed first. */
  get after(): string | null {
    return this.#db.prepare('select after from state').get()!.after as string | null
  }

  /** Stores the changes and the position after them in one transaction: a killed process has stored both or neither. */
  store(changes: Changes, after: string | null): void {
    this.#transaction(() => {
      for (const [id, lead] of changes) this.#put(id, lead)
      this.#db.prepare('update state set after = ?').run(after)
    })
  }

  /** Ends a copy: removes the leads that it did not contain. */
  endCopy(after: string): void {
    this.#transaction(() => {
      this.#db.exec('delete from leads where copy < (select copy from state)')
      this.#db.prepare('update state set after = ?').run(after)
    })
  }

  beginCopy(): void {
    this.#db.exec('update state set after = null, copy = copy + 1')
  }

  leads(): Record<string, unknown>[] {
    return this.#db
      .prepare('select id, external_id, name, phone, status, title, price, tags from leads order by id')
      .all()
  }

  close(): void {
    this.#db.close()
  }

  #put(id: string, lead: Lead | null): void {
    if (!lead) {
      this.#db.prepare('delete from leads where id = ?').run(id)
      return
    }
    const { externalId, contact, status, property, tags } = lead
    const values = [
      id,
      externalId,
      contact.name,
      contact.phone,
      status,
      property.title,
      property.price,
      JSON.stringify(tags),
    ]
    this.#db
      .prepare('insert or replace into leads select ?, ?, ?, ?, ?, ?, ?, ?, copy from state')
      .run(...values)
  }

  #transaction(work: () => void): void {
    this.#db.exec('begin immediate')
    try {
      work()
      this.#db.exec('commit')
    } catch (error) {
      this.#db.exec('rollback')
      throw error
    }
  }
}

/** Copies every lead. It takes the position in the feed first, so that events during the copy are read afterwards. */
async function copyAll(aldaba: Client, crm: Crm): Promise<void> {
  const { nextAfter } = await aldaba.call('listEvents', { query: { after: 'latest' } })
  crm.beginCopy()
  for await (const { data } of aldaba.leads({ limit: 200 }).pages())
    crm.store(new Map(data.map(lead => [lead.id, lead])), null)
  crm.endCopy(nextAfter)
}

/** Reads the events after the stored position. */
async function catchUp(aldaba: Client, crm: Crm): Promise<void> {
  for await (const { data, nextAfter } of aldaba.events({ after: crm.after!, limit: 200 }))
    crm.store(await readChanges(data, aldaba), nextAfter)
}

/** Returns what the CRM has to change after these events. A receiver of webhooks calls it with each message. */
export async function readChanges(events: WebhookEvent[], aldaba: Client): Promise<Changes> {
  const changes: Changes = new Map()
  const unread = new Set<string>()
  for (const { type, data } of events) {
    if (type === 'lead.deleted') changes.set(data.leadId, null)
    else if (type === 'leads.imported') for (const id of data.leadIds) unread.add(id)
    else if ('lead' in data && data.objectOmitted === 'too_large') unread.add(data.leadId)
    else if ('lead' in data) changes.set(data.leadId, data.lead)
  }
  const ids = [...unread]
  for (let at = 0; at < ids.length; at += 200) {
    const some = ids.slice(at, at + 200)
    for (const id of some) changes.set(id, null)
    const { data } = await aldaba.call('listLeads', { query: { ids: some.join(','), limit: 200 } })
    for (const lead of data) changes.set(lead.id, lead)
  }
  return changes
}

/** Brings the CRM up to date: afterwards it has everything that happened before the call. */
export async function keepInStep(aldaba: Client, crm: Crm): Promise<void> {
  try {
    if (crm.after === null) await copyAll(aldaba, crm)
    await catchUp(aldaba, crm)
  } catch (error) {
    if (!(error instanceof AldabaError) || error.code !== 'CURSOR_EXPIRED') throw error
    await copyAll(aldaba, crm)
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { once: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const aldaba = createClient({ baseUrl: process.env.ALDABA_URL!, apiKey: process.env.KEY! })
  const crm = new Crm(positionals[0] ?? 'crm.sqlite')
  do {
    try {
      await keepInStep(aldaba, crm)
      console.log(`${crm.leads().length} leads in step`)
    } catch (error) {
      if (values.once) throw error
      console.error(`not in step, trying again: ${error}`)
    }
    if (!values.once) await sleep(pollMs)
  } while (!values.once)
  crm.close()
}
