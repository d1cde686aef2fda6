/** Makes property sheets as a client, from listings of the simulator. */
import { fichaExample } from '../src/features/fichas/examples.ts'
import type { Ficha } from '../src/features/fichas/schemas.ts'
import { sql } from '../src/kit/db/index.ts'
import { newId } from '../src/kit/id.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import type { SimulatedListing } from '../src/simulator/listing.ts'
import { drawPhoto } from '../src/simulator/photo.ts'
import type { TestApp } from './harness.ts'
import type { TestTenant } from './tenant.ts'

/** The URL of a listing of portal A in examples; with a test key, the simulator's listing is read. */
export const toListingUrl = ({ id }: Pick<SimulatedListing, 'id'>) =>
  `https://portal-a.example/inmueble/${id}/`

/** Makes a sheet, and waits until it is ready. Throws unless the reply is 201. */
export async function generateFicha(
  tenant: TestTenant,
  listing: Pick<SimulatedListing, 'id'>,
  choices: object = {},
): Promise<Ficha> {
  const body = { propertyUrl: toListingUrl(listing), waitSeconds: 30, ...choices }
  const reply = await tenant.call<Ficha>('POST', '/fichas/generate', { body })
  if (reply.status !== 201) throw new Error(`POST /fichas/generate answered ${reply.status}: ${reply.text}`)
  return reply.body
}

/** Stores a ready sheet without photos, because no worker makes one. Returns its id. */
export async function storeFicha({ database }: TestApp, tenantId: string): Promise<string> {
  const id = newId()
  const now = new Date()
  const { property, privacy, energy, advertising, layout, language } = fichaExample
  const content = {
    property,
    evidence: {},
    photos: [],
    photosFailed: 0,
    privacy,
    energy,
    advertising,
    agent: null,
  }
  await database.withTenant({ tenantId }, async tx => {
    await tx
      .insertInto('fichas')
      .values({
        tenant_id: tenantId,
        id,
        status: 'ready',
        platform: 'portal_a',
        listing_id: id,
        source_url: `https://portal-a.example/inmueble/${id}/`,
        choices: JSON.stringify({ privacy, energy, advertising, agent: null, layout, language }),
        version: 1,
        created_at: now,
        updated_at: now,
      })
      .execute()
    await tx
      .insertInto('ficha_versions')
      .values({
        tenant_id: tenantId,
        ficha_id: id,
        version: 1,
        content: JSON.stringify({ ...content, layout, language }),
        created_at: now,
      })
      .execute()
    for (const number of [1, 2])
      await tx
        .insertInto('ficha_photos')
        .values({
          tenant_id: tenantId,
          ficha_id: id,
          number,
          source_url: `https://portal-a.example/fotos/${number}.jpg`,
          width_px: 1600,
          height_px: 1200,
          sizes: '[]',
        })
        .execute()
  })
  return id
}

/** Gives a stored sheet of the key's tenant one photo of 400 px. */
export async function addPhoto(app: TestApp, id: string, key = app.workspace.testKey): Promise<void> {
  const { tenantId } = (await app.database.findApiKey(hashKeyValue(key)))!
  const photo = `data:image/png;base64,${drawPhoto(1).toString('base64')}`
  const body = { agent: { name: 'Marta', photo }, photos: [{ number: 1 }] }
  const reply = await app.call('PATCH', `/fichas/${id}`, { body, key })
  if (reply.status !== 200) throw new Error(`PATCH /fichas/{id} answered ${reply.status}: ${reply.text}`)
  // The file of the agent's photo is used for the photo of the property too.
  await app.database.withTenant({ tenantId }, tx =>
    sql`
      update ficha_photos p set sizes = json_build_array(json_build_object('widthPx', 400, 'blobId', r.blob_id))
      from blob_references r
      where p.tenant_id = ${tenantId} and p.ficha_id = ${id} and p.number = 1
        and r.tenant_id = p.tenant_id and r.kind = 'ficha' and r.object_id = p.ficha_id`.execute(tx),
  )
}
