/** Statements of blobs with very many files. */
import { expect, test } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { openDatabase, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { findBlobs } from './blobs.ts'
import { claimRemovals, deleteExpiredHolds, deleteUnreferenced, insertReferences } from './queries.ts'

/** With four values each, this exceeds the 65,535 parameters of a statement. */
const count = 20_000

test('adds and deletes more references at once than a statement has parameters', async () => {
  const database = openDatabase(await makeDatabase(), { onError: () => {} })
  const { testTenantId: tenantId } = await makeWorkspace(database)
  const blobIds = Array.from({ length: count }, () => newId())
  const objectId = newId()
  await database.withTenant({ tenantId }, async tx => {
    await sql`
      insert into blobs (tenant_id, id, hash, bytes, media_type)
      select ${tenantId}::uuid, id, uuid_send(id), 1, 'text/plain' from unnest(${blobIds}::uuid[]) id`.execute(
      tx,
    )
    await sql`insert into blob_usage (tenant_id, bytes) values (${tenantId}, ${count})`.execute(tx)
    await insertReferences(tx, { kind: 'hold', objectId, blobIds, holdMs: -1 })
    expect(await findBlobs(tx, { kind: 'hold', objectIds: [objectId] })).toHaveLength(count)
    await deleteUnreferenced(tx, await deleteExpiredHolds(tx))
    expect(await claimRemovals(tx, count + 1)).toHaveLength(count)
  })
  await database.close()
})
