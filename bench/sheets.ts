/**
 * A property sheet with twelve photos as a page and as a PDF, beside headless Chromium printing the same page: cold (the
 * first one after a start) and warm. The warm Chromium opens a tab for each print, as a person does; the cold one is
 * what a server pays that keeps no browser. Chromium may be at `CHROMIUM`; without it, only the sheet is measured.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { renderSheetHtml, renderSheetPdf } from '../src/features/fichas/sheet/document.ts'
import { type Sheet, sheetLayouts } from '../src/features/fichas/sheet/sheet.ts'
import { chromiumPath, startChromium } from '../test/chromium.ts'
import { makeSamplePhotos, makeSampleSheet } from '../test/sample-sheet.ts'
import type { Ratios } from './guard.ts'
import { median } from './load.ts'

const client = { tenantId: 'bench', signal: new AbortController().signal }

/** Each of them ends all of its processes. */
const coldRounds = 3

export async function run(): Promise<void> {
  const { page, pdf, pdfBytes, chromium } = await measure(25)
  console.log('a sheet with 12 photos, ms')
  console.table({ page, PDF: pdf, ...(chromium && { 'Chromium, of the same page': chromium }) })
  if (chromium) {
    const toTimes = (other: number, own: number) => `${(other / own).toFixed(1)} times`
    console.log('the time of Chromium, in times of the PDF')
    console.table({
      'both warm': toTimes(chromium.warm, pdf.warm),
      'both at their best': toTimes(chromium.best, pdf.best),
      'both cold': toTimes(chromium.cold, pdf.cold),
      'PDF warm, Chromium started for each print': toTimes(chromium.cold, pdf.warm),
    })
  }
  console.log('the PDF by layout, bytes')
  console.table(pdfBytes)
}

export async function short(): Promise<Ratios> {
  const { page, pdf } = await measure(5)
  return { 'sheets/s of one page render': page.best / pdf.best }
}

interface Figures {
  cold: number
  /** The median. */
  warm: number
  /** The shortest: other load disturbs it least. */
  best: number
}

interface Measured {
  page: Figures
  pdf: Figures
  pdfBytes: Record<string, number>
  chromium: Figures | null
}

async function measure(rounds: number): Promise<Measured> {
  const photos = await makeSamplePhotos(12, {
    width: 1600,
    height: 1067,
    widths: [480, 960, 1600],
    noise: 20,
  })
  const sheet = makeSampleSheet({ photos })
  const page = await time(rounds, async nth => renderSheetHtml(changeFacts(sheet, nth)))
  const pdf = await time(rounds, nth => renderSheetPdf(changeFacts(sheet, nth), client))
  const pdfBytes: Record<string, number> = {}
  for (const layout of sheetLayouts)
    pdfBytes[layout] = (await renderSheetPdf({ ...sheet, layout }, client)).length
  const chromium = chromiumPath ? await timeChromium(chromiumPath, renderSheetHtml(sheet), rounds) : null
  return { page, pdf, pdfBytes, chromium }
}

/** Another sheet for each round: of the same one, the process of the PDF would remember the layout. */
function changeFacts(sheet: Sheet, nth: number): Sheet {
  const { property } = sheet
  const change = (text: string | null) => text!.replaceAll(/\b\w{6,}\b/g, word => `${word}${nth}`)
  return {
    ...sheet,
    property: {
      ...property,
      title: change(property.title),
      description: change(property.description),
      address: change(property.address),
      reference: `GR-${nth}`,
      price: property.price! + nth * 1000,
      squareMeters: property.squareMeters! + nth,
      usableSquareMeters: property.usableSquareMeters! + nth,
      yearBuilt: property.yearBuilt! + nth,
    },
    agent: { ...sheet.agent!, name: `Marta Soler ${nth}` },
    energy: { rating: 'E', emissions: 'D', consumptionKwhM2: 150 + nth, emissionsKgM2: 20 + nth },
  }
}

async function timeChromium(path: string, html: string, rounds: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'aldaba-bench-sheets-'))
  try {
    const file = join(folder, 'sheet.html')
    await writeFile(file, html)
    const url = pathToFileURL(file).href
    const cold: number[] = []
    for (let nth = 0; nth < coldRounds; nth++) {
      const startMs = performance.now()
      const chromium = await startChromium(path, join(folder, `cold-${nth}`))
      await chromium.print(url)
      cold.push(performance.now() - startMs)
      await chromium.stop()
    }
    const chromium = await startChromium(path, join(folder, 'warm'))
    const { warm, best } = await time(rounds, () => chromium.print(url)).finally(() => chromium.stop())
    return { cold: round(median(cold)), warm, best }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const round = (ms: number) => Number(ms.toFixed(1))

async function time(rounds: number, work: (nth: number) => Promise<unknown>): Promise<Figures> {
  const measured: number[] = []
  for (let nth = 0; nth <= rounds; nth++) {
    const startMs = performance.now()
    await work(nth)
    measured.push(performance.now() - startMs)
  }
  const [cold, ...warm] = measured
  return { cold: round(cold!), warm: round(median(warm)), best: round(Math.min(...warm)) }
}
