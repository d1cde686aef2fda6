/** The page of a sheet: complete, self-contained, and safe. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeSamplePhotos, makeSampleSheet } from '../../../../test/sample-sheet.ts'
import { escapeMarkup } from '../../../documents/markup.ts'
import { descriptionLengthMax } from '../sheet-schemas.ts'
import { createSheetPolicy, renderSheetHtml } from './document.ts'
import { getSheetWords } from './languages.ts'
import { type Sheet, type SheetPhoto, sheetLanguages, sheetLayouts } from './sheet.ts'

const sample = makeSampleSheet()
const withProperty = (over: Partial<Sheet['property']>) =>
  makeSampleSheet({ property: { ...sample.property, ...over } })
const photos = await makeSamplePhotos(3)
const urlPhoto = (at: number): SheetPhoto => ({
  widthPx: 1600,
  heightPx: 1067,
  sources: [480, 1600].map(widthPx => ({ widthPx, url: `photos/${at}-${widthPx}.jpg` })),
  alt: null,
})

describe('the page', () => {
  test.each(sheetLanguages)('says everything in %s', language => {
    const page = renderSheetHtml({ ...sample, language })
    const words = getSheetWords(language)
    expect(page).toContain(`<html lang="${words.locale}">`)
    for (const text of [words.offered.sale, words.kind.apartment, words.description, words.energy.heading])
      expect(page).toContain(text)
    expect(page).toMatch(/575[.,\s\u00a0\u202f]000/)
    expect(page).toMatch(/6[.,\s\u00a0\u202f]250/)
    expect(page).not.toContain('undefined')
  })

  test.each(sheetLayouts)('needs nothing but its style, embedded images and fonts: %s', layout => {
    const page = renderSheetHtml({ ...sample, layout, photos }, { pdfPath: 'sheet.pdf' })
    const [, style] = page.match(/<style>(.*?)<\/style>/s)!
    const hash = createHash('sha256').update(style!).digest('base64')
    expect(createSheetPolicy(sample)).toContain(`style-src 'sha256-${hash}'`)
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/<link|<iframe|\sstyle=|\son\w+=|javascript:|@import|url\((?!data:font)/)
    expect([...page.matchAll(/<img src="([^"]{22})/g)].map(([, start]) => start)).toEqual(
      photos.map(() => 'data:image/jpeg;base64'),
    )
  })

  test('offers several widths of a photo that has URLs', () => {
    const page = renderSheetHtml({ ...sample, photos: [0, 1].map(urlPhoto) })
    expect(page).toContain('srcset="photos/1-480.jpg 480w, photos/1-1600.jpg 1600w"')
  })

  test('prints the longest description that the API accepts, in any number of lines', () => {
    for (const line of ['Suelo de roble.\n', 'a\n']) {
      const description = line.repeat(Math.floor(descriptionLengthMax / line.length) - 1)
      const page = renderSheetHtml(withProperty({ description: `${description}The end.` }))
      expect(page.includes('<p dir="auto">The end.</p>'), line).toBe(true)
    }
  })

  test('treats text as text', () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const page = renderSheetHtml(
      makeSampleSheet({
        property: { ...sample.property, title: hostile, description: hostile, address: hostile },
        agent: { ...sample.agent!, name: hostile, phone: hostile, email: hostile },
        branding: { ...sample.branding, name: hostile, legalText: hostile },
      }),
    )
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('<img src=x')
    expect(page.match(/<\/script>/g)).toHaveLength(1)
  })

  test('asks for a price on request if it is unknown', () => {
    const page = renderSheetHtml(withProperty({ price: null }))
    expect(page).toContain(getSheetWords('es').priceOnRequest)
    expect(page).not.toContain('€/m²')
  })

  test('states the period of a rent', () => {
    const page = renderSheetHtml(withProperty({ operation: 'rent', price: 1250, pricePeriod: 'month' }))
    expect(page).toMatch(/1\.250\s€\/mes/)
  })

  test.each(sheetLanguages)('states what the law requires in %s', language => {
    const { statements: words } = getSheetWords(language)
    const statements = {
      ...sample.statements,
      construction: 'under_construction',
      priceIncludesTaxes: false,
      buildingPermit: 'LO-2025/118, 2027-05-01',
      usePermit: '123/2004',
      shortTermRegistration: 'ESFCTU0001',
      isStressedArea: true,
      lastRent: 1100,
      referenceRent: 1185.5,
      isLargeHolder: false,
    } as const
    const page = renderSheetHtml({ ...sample, language, statements })
    const { constructionState, taxesIncluded, ...labels } = words
    for (const text of [...Object.values(labels), constructionState.under_construction])
      expect(page).toContain(escapeMarkup(text))
    for (const text of ['LO-2025/118, 2027-05-01', '123/2004', 'ESFCTU0001']) expect(page).toContain(text)
    expect(page).not.toContain(taxesIncluded)
    expect(page).toMatch(/1[.,\s\u00a0\u202f]?100/)
  })

  test.each(sheetLanguages)('says in %s what the sheet lacks, and which law wants it', language => {
    const { missing, severity } = getSheetWords(language)
    const law = { title: 'Real Decreto 390/2021' }
    const warnings: Sheet['warnings'] = [
      { code: 'ENERGY_RATING_MISSING', severity: 'required', law },
      { code: 'NO_PHOTOS', severity: 'recommended', law: null },
    ]
    const page = renderSheetHtml({ ...sample, language, warnings })
    for (const text of [missing.ENERGY_RATING_MISSING, missing.NO_PHOTOS, severity.required, law.title])
      expect(page).toContain(escapeMarkup(text))
    if (language !== 'en')
      expect(missing).not.toMatchObject({ NO_PHOTOS: getSheetWords('en').missing.NO_PHOTOS })
    expect(renderSheetHtml({ ...sample, language })).not.toContain('class="warnings"')
  })

  test('needs hardly any facts', () => {
    const property = Object.fromEntries(
      Object.keys(sample.property).map(name => [name, name === 'features' ? [] : null]),
    ) as unknown as Sheet['property']
    const page = renderSheetHtml(makeSampleSheet({ property, agent: null, energy: null, shareUrl: null }))
    expect(page).toContain('<h1><bdi>El inmueble</bdi></h1>')
    expect(page).not.toMatch(/null|undefined|NaN/)
  })
})

describe('the description for machines', () => {
  const parse = (page: string) =>
    JSON.parse(page.match(/<script type="application\/ld\+json">(.*?)<\/script>/s)![1]!)

  test('is a RealEstateListing with absolute photos', () => {
    const page = renderSheetHtml(
      { ...sample, photos: [urlPhoto(0)] },
      { canonicalUrl: 'https://example.org/share/fichas/token/' },
    )
    expect(parse(page)).toMatchObject({
      '@type': 'RealEstateListing',
      image: ['https://example.org/share/fichas/token/photos/0-1600.jpg'],
      offers: { price: 575_000, priceCurrency: 'EUR' },
      mainEntity: { '@type': 'Apartment', floorSize: { value: 92 }, numberOfBedrooms: 3 },
    })
    expect(page).toContain(
      '<meta property="og:image" content="https://example.org/share/fichas/token/photos/0',
    )
  })

  test('has no position if it is hidden', () => {
    expect(parse(renderSheetHtml(withProperty({ latitude: null }))).mainEntity.geo).toBeUndefined()
  })
})
