/** What a document says, before it is a page or a PDF: both are written from the same blocks. */
import type { Canvas } from './charts/svg.ts'

export interface Fact {
  label: string
  value: string
}

export interface Column {
  heading: string
  /** The number of a row; a value, which ends where the others end; or text, which takes the room that is left. */
  kind: 'index' | 'value' | 'text'
  /** Where all columns share the room: how much of it, 1 if it does not say. */
  widthShare?: number
}

/** In a cell of which there is nothing to tell. */
export const noValue = '–'

export interface Cell {
  text: string
  /** In small letters below. */
  note?: string
  /** Columns that it takes; 1 if it does not say. */
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
  /** The anchor in a page. */
  id: string
  heading: string
  /** Its table has more columns than go on an upright page. */
  isWide: boolean
  blocks: Block[]
}
