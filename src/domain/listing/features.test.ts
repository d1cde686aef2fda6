/** Names of features in nine languages, suggestions for unknown ones, and hostile texts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { measureLongestBlockMs } from '../../../test/event-loop-block.ts'
import { type Feature, parseFeatureName, parseFeatureNames, propertyFeatures } from './features.ts'

test.each<[Feature, string[]]>([
  [
    'pool',
    [
      'piscina',
      'Piscina comunitaria',
      'swimming_pool',
      'Swimming pool',
      'Schwimmbad',
      'zwembad',
      'basen',
      'piscine',
    ],
  ],
  ['lift', ['ascensor', 'Elevador', 'ascensore', 'Aufzug', 'winda', 'elevator', 'ascenseur', 'LIFT']],
  [
    'air_conditioning',
    ['airConditioning', 'Aire acondicionado', 'air-conditioning', 'klimatyzacja', 'airco', 'A/C'],
  ],
  [
    'storage_room',
    ['storage', 'trastero', 'Arrecadação', 'ripostiglio', 'Abstellraum', 'berging', 'komórka lokatorska'],
  ],
  [
    'fitted_wardrobes',
    ['wardrobes', 'Armarios empotrados', 'Einbauschränke', 'armadi a muro', 'szafy w zabudowie'],
  ],
  ['concierge', ['doorman', 'Portero', 'Portería', 'porteiro', 'Portier', 'huismeester']],
  ['top_floor', ['topFloor', 'Última planta', 'dernier étage', 'ostatnie piętro']],
  [
    'garden',
    ['Jardín privado', 'giardino condominiale', 'jardin privatif', 'Gartenanteil', 'communal garden'],
  ],
  [
    'parking',
    ['Cochera', 'posto auto coperto', 'TG-Stellplatz', 'garaż podziemny', 'oprit', 'Plaça d’aparcament'],
  ],
  ['renovated', ['Totalmente reformado', 'kernsaniert', 'zmodernizowane', 'completamente ristrutturato']],
  ['accessible', ['Accesibilidad', 'behindertengerecht', 'accès handicapé', 'wheelchair access']],
  ['sea_view', ['Vistas al mar', 'vue mer', 'Meerblick', 'zeezicht', 'widok na morze', 'sea view']],
  ['heating', ['Calefacción', 'ogrzewanie', 'Heizung', 'verwarming', 'riscaldamento']],
])('%s is parsed from %j', (feature, texts) => {
  for (const text of texts) expect([text, parseFeatureName(text)]).toEqual([text, feature])
})

test('a feature is parsed from its own name in any spelling', () => {
  for (const name of propertyFeatures)
    for (const text of [name, name.toUpperCase(), name.replaceAll('_', ' '), name.replaceAll('_', '-')])
      expect(parseFeatureName(text)).toBe(name)
})

test.each(['sin piscina', 'no lift', 'piscna', 'swimming', 'helipad', '', 'constructor', '__proto__'])(
  '%j names no feature',
  text => {
    expect(parseFeatureName(text)).toBeNull()
  },
)

test.each([
  ['piscna', 'pool'],
  ['ascensro', 'lift'],
  ['swiming pool', 'pool'],
  ['air_conditionning', 'air_conditioning'],
  ['terasa', 'terrace'],
  ['Totalmente amueblado y reformado', 'furnished'],
  ['Reformado en 2020', 'renovated'],
  ['Giardino di proprietà', 'garden'],
  ['Ascensor: sí', 'lift'],
  ['Plaza de garaje doble', 'parking'],
  ['Vista sul mare e sul porto', 'sea_view'],
])('%s is unknown; the nearest feature is %s', (text, nearest) => {
  const { features, unknown } = parseFeatureNames(['lift', text])
  expect(features).toEqual(['lift'])
  expect(unknown).toEqual([
    {
      index: 1,
      nearest,
      message: `${JSON.stringify(text)} is not a known feature; the nearest is ${nearest}`,
    },
  ])
})

test('a text that is near no feature gets the list of all features', () => {
  expect(parseFeatureNames(['jacuzzi']).unknown[0]?.message).toMatch(
    /^must be one of lift, .*sea_view, and not "jacuzzi/,
  )
})

test('only the first ten unknown names of a list get a suggestion', async () => {
  const featureLists = Array.from({ length: 100 }, (_, listIndex) =>
    Array.from(
      { length: 50 },
      (_, index) => `${'aeroitanscdlpm'.repeat(2).slice(index % 14, (index % 14) + 9)}${listIndex}`,
    ),
  )
  const { unknown } = parseFeatureNames(featureLists[0]!)
  expect(unknown).toHaveLength(50)
  expect(unknown[9]!.message).toMatch(/the nearest is|must be one of/)
  expect(unknown[10]).toEqual({ index: 10, nearest: null, message: '"dlpmaeroi0" is not a known feature' })
  const findAll = async () => featureLists.forEach(list => void parseFeatureNames(list))
  expect(await measureLongestBlockMs(findAll)).toBeLessThan(700)
})

test('any text is parsed or refused, in bounded time', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), text => {
      const { features, unknown } = parseFeatureNames([text, text])
      const counts = [features.length, unknown.length]
      expect([
        [1, 0],
        [0, 2],
      ]).toContainEqual(counts)
    }),
  )
  const startedAtMs = performance.now()
  parseFeatureNames(Array.from({ length: 50 }, () => 'ł'.repeat(100_000)))
  expect(performance.now() - startedAtMs).toBeLessThan(500)
})

test('rare words are known', () => {
  const texts = [
    'Solárium',
    'Azotea',
    'Kellerraum',
    'Bodega',
    'suelo radiante',
    'Wärmepumpe',
    'Hausmeister',
    'dźwig',
  ]
  expect(texts.map(parseFeatureName)).toEqual([
    'terrace',
    'terrace',
    'storage_room',
    'storage_room',
    'heating',
    'heating',
    'concierge',
    'lift',
  ])
})
