/** Tests that the check of emitted events fails when it should. */
import { expect, test } from 'vitest'
import { leadDeleted, leadsImported } from '../src/features/leads/events.ts'
import { emit } from '../src/kit/events/emit.ts'
import { startTestApp } from './harness.ts'
import { makeTenant } from './tenant.ts'

test('an event of an unknown type, or that does not match its schema, fails the test that emitted it', async () => {
  for (const invalid of [
    { definition: leadsImported, data: { ...leadsImported.example, created: 'many' } },
    { definition: { ...leadDeleted, type: 'lead.unheard_of' }, data: leadDeleted.example },
  ]) {
    const app = await startTestApp({ env: { ROLE: 'api' } })
    const tenant = await makeTenant(app)
    await tenant.inTenant(tx => emit(tx, invalid.definition as never, invalid.data as never))
    await expect(app.stop()).rejects.toThrow(`an event ${invalid.definition.type} does not fit its schema`)
  }
})
