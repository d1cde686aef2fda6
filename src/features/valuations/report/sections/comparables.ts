/** The map and the table of the comparables. */
import type { Block, Column, Row } from '../../../../documents/blocks.ts'
import {
  drawMap,
  type MapData,
  reachesBeyondMap,
  toMapView,
} from '../../../../documents/map/comparables-map.ts'
import type { MapView } from '../../../../documents/map/streets.ts'
import { shortFacts } from '../facts.ts'
import { type LocalizedReport, listUsed, type UsedProperty } from '../localized-report.ts'
import type { ValuationReport } from '../report.ts'

export function mapBlocks({ report, words, formats, used }: LocalizedReport): Block[] {
  const data: MapData = {
    ...toMapPlaces(report, used),
    streets: report.streets,
    distance: formats.distance,
    description: words.section.map,
  }
  const caption = [words.mapCaption, ...(reachesBeyondMap(data) ? [words.mapBeyond] : [])].join(' ')
  return [{ kind: 'figure', caption, draw: canvas => drawMap(canvas, data) }]
}

function toMapPlaces(
  { subject }: ValuationReport,
  used: UsedProperty[],
): Pick<MapData, 'subject' | 'comparables'> {
  const comparables = used.map(({ comparable: { latitude, longitude }, weight }) => ({
    latitude,
    longitude,
    weight,
  }))
  return { subject, comparables }
}

/**
 * The part of the earth on the report's map, or null if it shows no streets: no map in the report, or the address is
 * hidden, which the streets around the property would reveal.
 */
export function findMapView(report: ValuationReport): MapView | null {
  const { sections, showAddress } = report.config
  if (!sections.includes('map') || !showAddress) return null
  return toMapView(toMapPlaces(report, listUsed(report)))
}

export function comparablesBlocks(localized: LocalizedReport): Block[] {
  const { report, words, formats, used } = localized
  const { priceBasis, operation, subject, estimate } = report
  const { column } = words
  const columns: Column[] = [
    { heading: '#', kind: 'index' },
    { heading: column.distance, kind: 'value' },
    { heading: column.seen[priceBasis], kind: 'value' },
    { heading: column.area, kind: 'value' },
    { heading: column.characteristics, kind: 'text' },
    { heading: words.price[priceBasis][operation], kind: 'value' },
    { heading: words.pricePerSquareMeter, kind: 'value' },
    { heading: column.adjustedPrice, kind: 'value' },
    { heading: column.weight, kind: 'value' },
  ]
  const subjectRow: Row = {
    kind: 'highlighted',
    cells: [
      { text: words.thisProperty, span: 3 },
      { text: formats.squareMeters(subject.squareMeters) },
      { text: shortFacts(subject, localized) },
      { text: '' },
      { text: formats.perSquareMeter(estimate.pricePerSquareMeter) },
      { text: formats.money(estimate.value) },
      { text: '' },
    ],
  }
  const comparableRows = used.map(
    ({ comparable, distanceMeters, ageDays, adjustedPrice, weight }, index): Row => {
      const cells = [
        String(index + 1),
        formats.distance(distanceMeters),
        formats.ago(ageDays),
        formats.squareMeters(comparable.squareMeters),
        shortFacts(comparable, localized),
        formats.money(comparable.price),
        formats.perSquareMeter(comparable.price / comparable.squareMeters),
        formats.money(adjustedPrice),
        formats.percent(weight, 2),
      ]
      return { kind: 'plain', cells: cells.map(text => ({ text })) }
    },
  )
  return [
    { kind: 'paragraph', text: words.basis[priceBasis][operation] },
    { kind: 'table', caption: words.section.comparables, columns, rows: [subjectRow, ...comparableRows] },
  ]
}
