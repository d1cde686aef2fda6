/** The settings of property sheets. */
import { oneOf, strictObject, type TSchema, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'
import { sheetLanguages, sheetLayouts } from './sheet/sheet.ts'
import { addressPrivacies, coordinatePrivacies } from './sheet-schemas.ts'

/** A nullable field with default null. */
const optional = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })

const advertisingGates = ['warn', 'block'] as const

export const advertisingGate = setting({
  name: 'advertisingGate',
  scope: 'workspace',
  description:
    'What happens if a property sheet lacks what the law requires in advertising. `warn`: its `warnings` say so; `block`: it cannot be shared either.',
  schema: oneOf(advertisingGates),
  default: 'warn',
  roles: { read: 'agent', write: 'admin' },
})

export const sheetDefaults = setting({
  name: 'sheetDefaults',
  scope: 'workspace',
  description:
    'How property sheets look if the request does not say it, and the legal text on all of them. `language` null: that of reports.',
  schema: strictObject({
    language: optional(oneOf(sheetLanguages)),
    layout: oneOf(sheetLayouts, { default: 'classic' }),
    address: oneOf(addressPrivacies, { default: 'street' }),
    coordinates: oneOf(coordinatePrivacies, { default: 'approximate' }),
    legalText: optional(Type.String({ maxLength: 2000, description: 'Printed at the end of every sheet.' })),
  }),
  default: {
    language: null,
    layout: 'classic',
    address: 'street',
    coordinates: 'approximate',
    legalText: null,
  },
  roles: { read: 'agent', write: 'admin' },
})

export const settings = [sheetDefaults, advertisingGate]
