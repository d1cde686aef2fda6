/** `checkFeatures` checks the declarations of features. */
import { expect, it } from 'vitest'
import { checkFeatures, type Feature } from './feature.ts'
import { type Route, route } from './route.ts'
import { Type } from './schema.ts'
import type { Scope } from './scope.ts'
import { setting } from './settings/setting.ts'

const list = (scope: Scope): Route =>
  route({
    method: 'GET',
    path: '/doors',
    operation: 'listDoors',
    tag: 'Doors',
    summary: 'List doors',
    scope,
    status: 200,
    reply: Type.Object({}),
    handle: async () => ({}),
  })
const color = setting({
  name: 'doorColor',
  scope: 'workspace',
  description: 'The colour of doors.',
  schema: Type.String({ maxLength: 7 }),
  default: '#ffffff',
  roles: { read: 'agent', write: 'admin' },
})
const doors: Feature = {
  name: 'doors',
  scopes: ['doors:read'],
  quotas: [{ name: 'maxDoorsPerMonth' }],
  settings: [color],
  routes: [list('doors:read')],
  jobs: [],
  events: [],
}
const others: Feature = { name: 'others', routes: [], jobs: [], events: [] }

it.each<[string, Feature[], string]>([
  ['the same feature', [doors, doors], 'feature doors'],
  ['the same scope', [doors, { ...others, scopes: ['doors:read'] }], 'scope doors:read'],
  ['the same quota', [doors, { ...others, quotas: doors.quotas! }], 'quota maxDoorsPerMonth'],
  ['the same setting', [doors, { ...others, settings: [color] }], 'setting doorColor'],
  [
    'the same tag',
    [
      { ...doors, tags: { Doors: 'Doors.' } },
      { ...others, tags: { Doors: 'More.' } },
    ],
    'tag Doors',
  ],
  ['the same operation', [doors, { ...others, routes: doors.routes }], 'operation listDoors'],
])('two features may not declare %s', (_what, features, name) => {
  expect(() => checkFeatures(features)).toThrow(`two features declare the ${name}`)
})

it('a route may not require an undeclared scope', () => {
  const mistyped: Feature = { ...doors, routes: [list('dors:read')] }
  expect(() => checkFeatures([mistyped])).toThrow('no feature declares the scope dors:read of listDoors')
  expect(() => checkFeatures([doors, others])).not.toThrow()
})

it('the default of a setting must fit its schema', () => {
  const settings = [{ ...color, default: 'as white as snow' }]
  expect(() => checkFeatures([{ ...doors, settings }])).toThrow(
    'the default of the setting doorColor:  must NOT have more than 7 characters',
  )
})
