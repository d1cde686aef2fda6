import { expect, test } from 'vitest'
import { FEATURES, readFeatureName } from '../../../domain/listing/features.ts'
import { reportWordsOf } from './languages.ts'

test.each(['es', 'ca', 'pt', 'it', 'fr', 'de', 'nl', 'en', 'pl'] as const)(
  'what reports call a feature in %s is read as that feature',
  language => {
    for (const name of FEATURES) expect(readFeatureName(reportWordsOf(language).amenity[name])).toBe(name)
  },
)
