/** The content of a document as blocks, from which both the HTML page and the PDF are rendered. */
import type { Canvas } from './charts/svg.ts'

export interface Fact {
  label: string
  value: string
}

export interface Column {
  heading: string
  /** `index`: a row number; `value`: right-aligned; `text`: left-aligned, takes the remaining width. */
  kind: 'index' | 'value' | 'text'
  /** The relative width of a `value` column in a table without `text` columns; default: 1. */
  widthShare?: number
}

/** The text of a cell without a value. */
export const noValue = '–'

export interface Cell {
  text: string
  /** Small text below. */
  note?: string
  /** The number of columns that the cell spans; default: 1. */
  span?: number
}

export interface Row {
  cells: Cell[]
  kind: 'highlighted' | 'plain' | 'total'
}

export type Block =
  | { kind: 'headline'; label: string; value: string; basis: string; tiles: Fact[] }
  | { kind: 'facts'; heading: string | null; facts: Fact[] }
  | { kind: 'paragraph'; text: string }
  | { kind: 'figure'; caption: string; draw: (canvas: Canvas) => string }
  | { kind: 'table'; caption: string; columns: Column[]; rows: Row[] }

export interface Section {
  /** The anchor in the HTML page. */
  id: string
  heading: string
  /** true: the table has too many columns for a portrait page. */
  isWide: boolean
  blocks: Block[]
}
