import { expect, test } from 'vitest'
import { parseFeatureName, propertyFeatures } from '../../../domain/listing/features.ts'
import { getReportWords } from './languages.ts'

test.each(['es', 'ca', 'pt', 'it', 'fr', 'de', 'nl', 'en', 'pl'] as const)(
  'what reports call a feature in %s is read as that feature',
  language => {
    for (const name of propertyFeatures)
      expect(parseFeatureName(getReportWords(language).amenity[name])).toBe(name)
  },
)
