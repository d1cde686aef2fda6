/** Examples of imports, for the documentation. */
import type { Import, ImportRow } from './schemas.ts'

const mapping: Import['mapping'] = {
  Nombre: 'contact.name',
  Teléfono: 'contact.phone',
  Operación: 'property.operation',
  Precio: 'property.price',
  Dirección: 'property.address',
  Municipio: 'property.municipality',
  Notas: 'note',
}

export const importExample: Import = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'clientes.csv',
  status: 'RUNNING',
  dryRun: false,
  onMatch: 'update',
  keepUnknown: true,
  format: { kind: 'csv', encoding: 'utf-8', separator: ';', hasHeader: true, headerRow: 1 },
  warnings: [],
  attestation: null,
  attestedBy: null,
  country: null,
  campaignId: null,
  headings: ['Nombre', 'Teléfono', 'Operación', 'Precio', 'Dirección', 'Municipio', 'Notas'],
  mapping,
  guessedMapping: mapping,
  fileKeptUntil: null,
  progress: {
    rowsTotal: null,
    rowsRead: 500,
    created: 480,
    updated: 12,
    unchanged: 3,
    skipped: 4,
    failed: 1,
    undone: 0,
    notReverted: 0,
    percent: 40,
  },
  error: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  startedAt: '2026-11-02T10:00:00.200Z',
  finishedAt: null,
  undoneAt: null,
}

const {
  headings: _headings,
  mapping: _mapping,
  guessedMapping: _guessed,
  ...importSummaryExample
} = importExample

export { importSummaryExample }

export const queuedExample: Import = {
  ...importExample,
  status: 'QUEUED',
  startedAt: null,
  progress: {
    rowsTotal: null,
    rowsRead: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    undone: 0,
    notReverted: 0,
    percent: 0,
  },
}

export const importRowExample: ImportRow = {
  rowNumber: 7,
  result: 'created',
  reason: null,
  message: null,
  problems: [
    {
      column: 'Teléfono 2',
      code: 'PHONE_INVALID',
      message: 'This is not a valid phone number. Numbers from abroad need their prefix, such as +44.',
    },
  ],
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  undone: null,
}

export const cancelledExample: Import = {
  ...importExample,
  status: 'CANCELLED',
  finishedAt: '2026-11-02T10:00:31.000Z',
}

export const completedExample: Import = {
  ...importExample,
  status: 'COMPLETED',
  progress: {
    ...importExample.progress,
    rowsTotal: 1250,
    rowsRead: 1250,
    created: 1215,
    updated: 20,
    unchanged: 6,
    skipped: 7,
    failed: 2,
    percent: 100,
  },
  finishedAt: '2026-11-02T10:01:00.000Z',
}

/** A small file, for the documentation. */
export const fileExample = `Nombre;Teléfono;Operación;Precio;Dirección;Municipio;Notas
Marta Soler;612 34 56 78;venta;"250.000,00 €";"Carrer de Mallorca, 214";Barcelona;Llamar por la tarde
`

/** Small files of other types. */
export const fileExamples = {
  'application/x-ndjson':
    '{"contact":{"name":"Marta Soler","phone":"612 34 56 78"},"property":{"price":250000}}\n',
  'text/tab-separated-values': 'Nombre\tTeléfono\tPrecio\nMarta Soler\t612 34 56 78\t250.000 €\n',
}
