/** What a valuation's report may be asked to look like. */
import { closed, oneOf, type Static, Type } from '../../../kit/schema.ts'

export const reportLanguages = ['es', 'ca', 'en', 'fr', 'de', 'it', 'pt', 'nl', 'pl'] as const
export type ReportLanguage = (typeof reportLanguages)[number]

export const reportSections = [
  'summary',
  'map',
  'comparables',
  'adjustments',
  'distribution',
  'trend',
  'method',
] as const
export type ReportSection = (typeof reportSections)[number]

export const ReportConfig = closed(
  {
    language: Type.Optional(
      oneOf(reportLanguages, {
        default: 'es',
        description: 'Of all words, numbers and dates in the report.',
      }),
    ),
    sections: Type.Optional(
      Type.Array(oneOf(reportSections), {
        ...{ minItems: 1, uniqueItems: true, default: [...reportSections] },
        description: 'What the report shows, in this order. That it is no official appraisal is always said.',
      }),
    ),
    showAddress: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether the address of the property is printed.' }),
    ),
  },
  { title: 'ReportConfig', examples: [{ language: 'es', sections: ['summary', 'adjustments', 'method'] }] },
)
export type ReportConfig = Static<typeof ReportConfig>
