/** What features declare is checked when they are listed. */
import { expect, it } from 'vitest'
import { bindFeatures, type Feature } from './feature.ts'
import { type Route, route } from './route.ts'
import { Type } from './schema.ts'
import type { Scope } from './scope.ts'

const list = (scope: Scope): Route =>
  route({
    ...{ method: 'GET', path: '/doors', operation: 'listDoors', tag: 'Doors', summary: 'List doors' },
    scope,
    ...{ status: 200, reply: Type.Object({}), handle: async () => ({}) },
  })
const doors: Feature = {
  name: 'doors',
  scopes: ['doors:read'],
  quotas: [{ name: 'maxDoorsPerMonth' }],
  routes: [list('doors:read')],
  jobs: [],
  events: [],
}
const others: Feature = { name: 'others', routes: [], jobs: [], events: [] }

it.each<[string, Feature[], string]>([
  ['the same feature', [doors, doors], 'feature doors'],
  ['the same scope', [doors, { ...others, scopes: ['doors:read'] }], 'scope doors:read'],
  ['the same quota', [doors, { ...others, quotas: doors.quotas! }], 'quota maxDoorsPerMonth'],
  ['the same operation', [doors, { ...others, routes: doors.routes }], 'operation listDoors'],
])('two may not declare %s', (_what, features, name) => {
  expect(() => bindFeatures(features)).toThrow(`two features declare the ${name}`)
})

it('a route may ask for no scope that none declares', () => {
  const mistyped: Feature = { ...doors, routes: [list('dors:read')] }
  expect(() => bindFeatures([mistyped])).toThrow('no feature declares the scope dors:read of listDoors')
  expect(() => bindFeatures([doors, others])).not.toThrow()
})
