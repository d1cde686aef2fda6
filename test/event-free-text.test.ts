/** By what an erasure finds events: one that may tell of a person in words names their lead, and no other need be looked at. */
import { expect, test } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import type { TSchema } from '../src/kit/schema.ts'

interface Shape {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  additionalProperties?: Shape | boolean
  $ref?: string
}

/** Texts of our own, and codes. */
const ours = ['platform', 'currency', 'error.message']

/** Where a value of this schema may hold any text. */
function listFreeText(shape: Shape, path = ''): string[] {
  const nest = (name: string, inner: Shape) => listFreeText(inner, path ? `${path}.${name}` : name)
  if (shape.enum || shape.const !== undefined) return []
  if (shape.anyOf) return shape.anyOf.flatMap(one => listFreeText(one, path))
  if (shape.items) return listFreeText(shape.items, path)
  if (shape.properties) return Object.entries(shape.properties).flatMap(([name, inner]) => nest(name, inner))
  if (shape.patternProperties)
    return Object.values(shape.patternProperties).flatMap(inner => nest('*', inner))
  if (shape.type === 'string') return ['uuid', 'date-time'].includes(shape.format ?? '') ? [] : [path]
  return ['integer', 'number', 'boolean', 'null'].includes(shape.type ?? '') ? [] : [path]
}

const events = describeFeatures().flatMap(feature => feature.events)
const listFreeTextPaths = (data: TSchema) => listFreeText(data as Shape).filter(path => !ours.includes(path))
const isAboutLead = (data: TSchema) => ((data as { required?: string[] }).required ?? []).includes('leadId')

test('the schemas are read: a lead’s changes are words, its ids are not', () => {
  const updated = events.find(({ type }) => type === 'lead.updated')!
  expect(listFreeTextPaths(updated.data)).toEqual(expect.arrayContaining(['changes.before', 'changes.after']))
  expect(listFreeTextPaths(updated.data)).not.toContain('leadId')
})

test.each(events.map(({ type, data }) => [type, data] as const))(
  '%s holds words in `changes` of the lead that it names, and ids of other systems, or none',
  (_type, data) => {
    const words = listFreeTextPaths(data)
    if (isAboutLead(data))
      expect(words.filter(path => !/^(changes\.|listingId$|externalId$)/.test(path))).toEqual([])
    else expect(words).toEqual([])
  },
)
