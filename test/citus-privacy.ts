/** Erasure, opt-outs, exclusion lists and merges on a cluster. */
import { expect } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import { makeLead, readContactReasons, send } from './citus-tenants.ts'
import { testShared } from './shared-tests.ts'
import type { TestTenant } from './tenant.ts'

export function testPrivacy(forEachTenant: (work: (tenant: TestTenant) => Promise<void>) => Promise<void>) {
  testShared('a person is erased, and not stored again', () =>
    forEachTenant(async tenant => {
      const contact = { name: 'Nuria', phone: '612345601', email: 'nuria@x.es' }
      const { id } = await send<Lead>(tenant, 201, 'POST', '/leads', { contact })
      await send(tenant, 204, 'DELETE', `/leads/${id}?erase=true`)
      await send(tenant, 409, 'POST', '/leads', { contact: { email: 'Nuria@x.es' } })
    }),
  )

  testShared('an opt-out applies to all identifiers of a person, in lists and after changes', () =>
    forEachTenant(async tenant => {
      const one = await makeLead(tenant, { phone: '612345602', email: 'ona@x.es' })
      const other = await makeLead(tenant, { phone: '612345603' })
      const identifiers = [{ kind: 'phone', value: '612345602' }]
      await send(tenant, 201, 'POST', '/suppressions', { identifiers, kind: 'opt_out' })
      expect(await readContactReasons(tenant, [one, other])).toEqual({ [one]: 'OPTED_OUT', [other]: null })
      await send(tenant, 200, 'PATCH', `/leads/${one}`, { contact: { phone: '612345604', email: null } })
      expect(await readContactReasons(tenant, [one, other])).toEqual({ [one]: 'OPTED_OUT', [other]: null })
      const { suppressions } = await send<{ suppressions: object[] }>(
        tenant,
        200,
        'GET',
        `/leads/${one}/data`,
      )
      expect(suppressions).toMatchObject([{ kind: 'opt_out' }])
    }),
  )

  testShared('an exclusion list is imported, checked, and replaced', () =>
    forEachTenant(async tenant => {
      const [one, other] = [
        await makeLead(tenant, { phone: '612345605' }),
        await makeLead(tenant, { phone: '612345606' }),
      ]
      const importList = async (rawBody: string) => {
        const path = '/suppressions/imports/file?listName=Robinson&replace=true'
        const { status, text } = await tenant.call('POST', path, { rawBody, contentType: 'text/csv' })
        expect(status, text).toBe(201)
      }
      await importList('612345605\n')
      expect(await readContactReasons(tenant, [one, other])).toEqual({ [one]: 'SUPPRESSED', [other]: null })
      await importList('612345606\n')
      expect(await readContactReasons(tenant, [one, other])).toEqual({ [one]: null, [other]: 'SUPPRESSED' })
      const identifiers = ['612345605', '612345606'].map(value => ({ kind: 'phone', value }))
      const checked = await send<{ data: { suppressed: boolean }[] }>(
        tenant,
        200,
        'POST',
        '/suppressions/check',
        {
          identifiers,
        },
      )
      expect(checked.data.map(({ suppressed }) => suppressed)).toEqual([false, true])
    }),
  )

  testShared('a merge is undone, and each lead has its identifiers again', () =>
    forEachTenant(async tenant => {
      const one = await makeLead(tenant, { phone: '612345607' })
      const other = await makeLead(tenant, { phone: '612345608' })
      const { mergeId } = await send<{ mergeId: string }>(tenant, 200, 'POST', `/leads/${one}/merge`, {
        leadId: other,
      })
      await send(tenant, 200, 'POST', `/leads/${one}/merges/${mergeId}/undo`)
      const identifiers = [{ kind: 'phone', value: '612345608' }]
      await send(tenant, 201, 'POST', '/suppressions', { identifiers, kind: 'opt_out' })
      expect(await readContactReasons(tenant, [one, other])).toEqual({ [one]: null, [other]: 'OPTED_OUT' })
    }),
  )
}
