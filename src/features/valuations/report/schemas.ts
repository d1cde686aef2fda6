/** API schemas of the configuration of a report. */
import { documentLanguages } from '../../../documents/languages.ts'
import { oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'

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

const fields = {
  language: oneOf(documentLanguages, {
    description:
      'The language of the words, numbers and dates in the report. If omitted in a request: the language of the workspace.',
  }),
  sections: Type.Array(oneOf(reportSections), {
    minItems: 1,
    maxItems: reportSections.length,
    uniqueItems: true,
    default: [...reportSections],
    description:
      'The sections of the report, in this order. Every report says that it is not an official appraisal.',
  }),
  showAddress: Type.Boolean({
    default: true,
    description: 'Print the address of the property. If false, the map of the report has no streets.',
  }),
}

export const NewReportConfig = strictObject(
  {
    language: Type.Optional(fields.language),
    sections: Type.Optional(fields.sections),
    showAddress: Type.Optional(fields.showAddress),
  },
  {
    title: 'NewReportConfig',
    description: 'How the report looks. Omitted fields have their defaults.',
    examples: [{ language: 'es', sections: ['summary', 'adjustments', 'method'] }],
  },
)
export type NewReportConfig = Static<typeof NewReportConfig>

/** The configuration with all defaults filled in. */
export const ReportConfig = strictObject(fields, {
  title: 'ReportConfig',
  description: 'How the report looks.',
})
export type ReportConfig = Static<typeof ReportConfig>
