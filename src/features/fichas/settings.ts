/** The settings of property sheets. */
import { oneOf, strictObject, type TSchema, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'
import { sheetLanguages, sheetLayouts } from './sheet/sheet.ts'
import { addressPrivacies, coordinatePrivacies } from './sheet-schemas.ts'

/** A nullable field with default null. */
const optional = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })

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
