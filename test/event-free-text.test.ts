/** Erasure finds events by their lead: every event with free text about a person names the lead. */
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

/** Texts that the program writes, and codes: no free text. */
const programTexts = ['platform', 'currency', 'changes.currency', 'error.message', 'reason']

/** Returns the paths of a schema that may hold free text. */
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
const listFreeTextPaths = (data: TSchema) =>
  listFreeText(data as Shape).filter(path => !programTexts.includes(path))
const isAboutLead = (data: TSchema) => ((data as { required?: string[] }).required ?? []).includes('leadId')

test('free text is found in schemas: the changes of a lead are free text, its ids are not', () => {
  const updated = events.find(({ type }) => type === 'lead.updated')!
  expect(listFreeTextPaths(updated.data)).toEqual(expect.arrayContaining(['changes.before', 'changes.after']))
  expect(listFreeTextPaths(updated.data)).not.toContain('leadId')
})

test.each(events.map(({ type, data }) => [type, data] as const))(
  '%s has free text only in the `changes` of its lead and in ids of other systems',
  (_type, data) => {
    const paths = listFreeTextPaths(data)
    if (isAboutLead(data))
      expect(paths.filter(path => !/^(changes\.|listingId$|externalId$)/.test(path))).toEqual([])
    else expect(paths).toEqual([])
  },
)
