/** The PDF of a sheet: complete, on one or two pages, whatever the listing contains. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { extractPdfPages, extractPdfText } from '../../../../test/pdf-text.ts'
import { makeSamplePhotos, makeSampleSheet } from '../../../../test/sample-sheet.ts'
import { renderSheetPdf as render } from './document.ts'
import { getSheetWords } from './languages.ts'
import { listPlans, toPdfPhotos } from './pdf-photos.ts'
import { type Sheet, sheetLanguages, sheetLayouts } from './sheet.ts'

const sample = makeSampleSheet()
const client = { tenantId: 'reader', signal: new AbortController().signal }
const renderSheetPdf = (over: Partial<Sheet>) => render({ ...sample, ...over }, client)
const landscape = await makeSamplePhotos(12)
const portrait = await makeSamplePhotos(2, { width: 320, height: 480, widths: [320] })

describe('the PDF', () => {
  test.each(sheetLanguages)('says everything in %s', async language => {
    const text = extractPdfText(await renderSheetPdf({ language, photos: landscape }))
    const words = getSheetWords(language)
    const { title, reference } = sample.property
    const said = [title!, reference!, words.kind.apartment.toUpperCase(), words.details, words.energy.heading]
    for (const some of said) expect(text).toContain(stripBlanks(some))
    expect(text).toMatch(/575[.,]?000/)
  })

  test('is tagged, titled and embeds its fonts', async () => {
    const bytes = Buffer.from(await renderSheetPdf({ photos: landscape })).toString('latin1')
    expect(bytes).toContain('/StructTreeRoot')
    expect(bytes).toMatch(/\/Lang ?\(es\)/)
    expect(bytes).toContain(`>${sample.property.title}</rdf:li>`)
    expect(bytes.match(/\/Alt ?\(/g)!.length).toBeGreaterThanOrEqual(12)
    for (const font of ['SourceSerif4', 'SourceSans3']) expect(bytes).toMatch(new RegExp(`\\+${font}`))
  })

  test('omits emoji and prints Hebrew and Arabic', async () => {
    const title = 'דירה 🏡 ברחוב'
    const text = extractPdfText(
      await renderSheetPdf({
        property: { ...sample.property, title },
        agent: { ...sample.agent!, name: 'ليلى الحداد' },
      }),
    )
    expect(text).not.toContain('\uffff')
    for (const letter of 'דירהברחובليلىالحداد') expect(text).toContain(letter)
  })

  const fallback = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf'
  test.skipIf(!existsSync(fallback))(
    'prints Chinese with a font of the system (needs fonts-droid-fallback)',
    async () => {
      const text = extractPdfText(await renderSheetPdf({ agent: { ...sample.agent!, name: '王小明' } }))
      expect(text).toContain('王小明')
    },
  )

  test('prints the name of the agency if Typst refuses the logo', async () => {
    const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')
    const text = extractPdfText(await renderSheetPdf({ branding: { ...sample.branding, logo } }))
    expect(text).toContain('FinquesAldaba')
  })

  test('marks the end of a description of too many sentences', async () => {
    const toText = async (count: number) => {
      const description = 'Z. '.repeat(count).trimEnd()
      return extractPdfText(await renderSheetPdf({ property: { ...sample.property, description } }))
    }
    expect(await toText(300)).not.toContain('Z.…')
    expect(await toText(301)).toContain('Z.…')
  })

  test('prints markup characters unchanged', async () => {
    const title = '#import "x": * $a^2$ *b* _c_ <d> @e `f` = g // h #panic() [i]'
    const text = extractPdfText(await renderSheetPdf({ property: { ...sample.property, title } }))
    expect(text).toContain(stripBlanks(title))
  })
})

describe('a sheet has one or two pages', () => {
  const { property } = sample
  const many = Array.from({ length: 40 }, (_, at) => landscape[at % 12]!)
  const long = `${property.description}\n`.repeat(30)
  const cases: Record<string, Partial<Sheet>> = {
    '12 photos': { photos: landscape },
    'no photo': { photos: [] },
    'one photo': { photos: landscape.slice(0, 1) },
    'forty photos': { photos: many },
    'a portrait cover': { photos: [...portrait, ...landscape.slice(0, 3)] },
    'one portrait': { photos: portrait.slice(0, 1) },
    'a long text and forty photos': { photos: many, property: { ...property, description: long } },
    'a text without full stops': {
      photos: landscape,
      property: { ...property, description: 'cocina abierta y terraza '.repeat(480) },
    },
    'a title of 200 characters': {
      photos: landscape,
      property: { ...property, title: 'Piso luminoso '.repeat(15) },
    },
    'one word of 200 characters': { photos: landscape, property: { ...property, title: 'W'.repeat(200) } },
    'hardly anything': {
      property: { ...property, description: null, features: [] },
      energy: null,
      agent: null,
    },
  }
  test.each(sheetLayouts)('%s', async layout => {
    for (const [name, over] of Object.entries(cases)) {
      const pages = extractPdfPages(await renderSheetPdf({ ...over, layout }))
      expect(pages.length, `${name}, ${layout}`).toBeLessThanOrEqual(layout === 'compact' ? 1 : 2)
      expect(pages.at(-1), `${name}, ${layout}`).toContain(stripBlanks(sample.branding.legalText!))
    }
  })

  test.each(sheetLayouts)('and states all that the law requires: %s', async layout => {
    const statements = {
      construction: 'planned',
      priceIncludesTaxes: true,
      buildingPermit: 'LO-2025/118, 2027-05-01',
      usePermit: '123/2004',
      rentalUse: 'home',
      shortTermRegistration: 'ESFCTU0001',
      isStressedArea: true,
      lastRent: 1100,
      referenceRent: 1185.5,
      isLargeHolder: true,
    } as const
    const words = getSheetWords('es').statements
    const { constructionState, taxesNotIncluded, ...labels } = words
    const pages = extractPdfPages(
      await renderSheetPdf({
        layout,
        statements,
        photos: landscape,
        property: { ...property, description: long },
      }),
    )
    expect(pages.length).toBeLessThanOrEqual(layout === 'compact' ? 1 : 2)
    const text = pages.join('')
    for (const label of Object.values(labels)) expect(text).toContain(stripBlanks(label))
    expect(text).toContain(constructionState.planned.replace(' ', ''))
    expect(text).not.toContain(stripBlanks(taxesNotIncluded))
    for (const value of ['LO-2025/118,2027-05-01', '123/2004', 'ESFCTU0001', '1.185,50'])
      expect(text).toContain(value)
  })

  test.each(sheetLayouts)(
    'and two with the longest of everything, even if it is compact: %s',
    async layout => {
      const words = 'licencia municipal '
      const permit = words.repeat(5).trimEnd()
      const pages = extractPdfPages(
        await renderSheetPdf({
          layout,
          photos: many,
          property: { ...property, title: 'W'.repeat(200), address: words.repeat(5), description: long },
          agent: { ...sample.agent!, name: words.repeat(9), licence: permit },
          branding: { ...sample.branding, name: words.repeat(9), legalText: words.repeat(105).trimEnd() },
          statements: {
            ...sample.statements,
            construction: 'planned',
            buildingPermit: permit,
            usePermit: permit,
            shortTermRegistration: permit,
            isStressedArea: true,
            lastRent: 1100,
            isLargeHolder: true,
          },
        }),
      )
      expect(pages).toHaveLength(2)
      expect(pages[1]).toContain(stripBlanks(words.repeat(105)))
      expect(pages[1]).toContain(stripBlanks(permit))
    },
  )

  test.each(sheetLayouts)('and prints what fits of a text without full stops: %s', async layout => {
    const description = `principio ${'cocina abierta y terraza '.repeat(480)}`
    const over = { layout, photos: landscape, property: { ...property, description } }
    expect(extractPdfText(await renderSheetPdf(over))).toContain('principiococinaabierta')
  })

  test('and says that its description continues online', async () => {
    const text = extractPdfText(await renderSheetPdf({ property: { ...property, description: long } }))
    expect(text).toContain(stripBlanks(getSheetWords('es').continuedOnline))
  })
})

describe('the size', () => {
  const size = { width: 1600, height: 1067, widths: [480, 960, 1600] }
  const bytesMax = 1_500_000

  test('photos are printed in smaller sizes, unchanged', async () => {
    const photos = await makeSamplePhotos(12, { ...size, noise: 30 })
    const pdf = Buffer.from(await renderSheetPdf({ photos }))
    expect(pdf.length).toBeLessThan(bytesMax)
    const { sources } = photos.at(-1)!
    expect(sources.map(source => 'bytes' in source && pdf.includes(source.bytes))).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each(sheetLayouts)(
    'holds for forty photos of pure noise and a photo of the agent: %s',
    async layout => {
      const noisy = await makeSamplePhotos(4, { ...size, noise: 2000 })
      const photos = Array.from({ length: 40 }, (_, at) => noisy[at % 4]!)
      const photo = (await makeSamplePhotos(1, { width: 400, height: 520, widths: [400], noise: 2000 }))[0]!
        .sources[0]!
      const agent = { ...sample.agent!, photo: 'bytes' in photo ? photo.bytes : null }
      const pdf = await renderSheetPdf({ photos, agent, layout })
      expect(pdf.length).toBeLessThan(bytesMax)
      expect(
        Buffer.from(pdf)
          .toString('latin1')
          .match(/DCTDecode/g)!.length,
      ).toBeGreaterThan(3)
    },
  )

  test('holds for a logo of the largest size', async () => {
    const photos = await makeSamplePhotos(12, { ...size, noise: 2000 })
    const raw = { width: 560, height: 560, channels: 3 } as const
    const logo = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
      .png()
      .toBuffer()
    expect(logo.length).toBeGreaterThan(900_000)
    const pdf = await renderSheetPdf({ photos, branding: { ...sample.branding, logo } })
    expect(pdf.length).toBeLessThan(bytesMax)
    expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/Width 560/)
  })
})

test('the legal text is printed completely, with the longest one that the setting allows', async () => {
  const words = 'El comprador abona los impuestos y gastos de notaría. '
  const legalText = `${words.repeat(40).slice(0, 1990).trimEnd()} Fin aquí.`
  for (const layout of sheetLayouts) {
    const pages = extractPdfPages(
      await renderSheetPdf({ layout, photos: landscape, branding: { ...sample.branding, legalText } }),
    )
    expect(pages.length, layout).toBeLessThanOrEqual(layout === 'compact' ? 1 : 2)
    expect(pages.at(-1), layout).toContain(stripBlanks(legalText))
  }
})

test('the plans of rows show all photos first', () => {
  expect(listPlans(5)).toEqual([[1, 2, 2], [2, 3], [2, 2], [4], [1, 2], [3], [2], [1]])
})

function stripBlanks(text: string): string {
  return text.replace(/\s/g, '')
}

test('photos have their caption, or their place among the photos in the language of the sheet', () => {
  const [first, ...others] = landscape
  const photos = [{ ...first!, alt: 'Cuina' }, ...others.map(photo => ({ ...photo, alt: null }))]
  const alts = toPdfPhotos({ ...sample, language: 'ca', photos }).photos.map(({ alt }) => alt)
  expect(alts.slice(0, 2)).toEqual(['Cuina', 'Foto 2 de 12'])
})
