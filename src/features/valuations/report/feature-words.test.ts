/** The names of features in reports are words that the parser knows. */
import { expect, test } from 'vitest'
import { parseFeatureName, propertyFeatures } from '../../../domain/listing/features.ts'
import { getReportWords } from './languages.ts'

test.each(['es', 'ca', 'pt', 'it', 'fr', 'de', 'nl', 'en', 'pl'] as const)(
  'the parser recognizes the name of each feature in reports in %s',
  language => {
    for (const name of propertyFeatures)
      expect(parseFeatureName(getReportWords(language).amenity[name])).toBe(name)
  },
)
