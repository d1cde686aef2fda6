/** Runs imports as a client. */
import type { Import, ImportRow } from '../src/features/imports/schemas.ts'
import { eventually, type Reply } from './harness.ts'
import type { TestTenant } from './tenant.ts'

type File = string | Uint8Array<ArrayBuffer>

/** Sends a file. The other options are query parameters of `POST /leads/imports`. */
export function sendFile(
  tenant: TestTenant,
  file: File,
  { contentType = 'text/csv', idempotencyKey, ...query }: Record<string, unknown> = {},
): Promise<Reply<Import>> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return tenant.call<Import>('POST', `/leads/imports?${search}`, {
    rawBody: file,
    contentType: contentType as string,
    ...(idempotencyKey ? { headers: { 'idempotency-key': idempotencyKey as string } } : {}),
  })
}

/** Waits until the import, or its undo, has ended. */
export function waitUntilImported(tenant: TestTenant, { id }: { id: string }): Promise<Import> {
  return eventually(
    async () => (await tenant.call<Import>('GET', `/leads/imports/${id}?waitSeconds=10`)).body,
    ({ status }) => !['QUEUED', 'RUNNING', 'UNDOING'].includes(status),
    30_000,
  )
}

/** Sends a file and waits for the end; throws unless it is accepted. */
export async function importFile(
  tenant: TestTenant,
  file: File,
  options: Record<string, unknown> = {},
): Promise<Import> {
  const { status, body, text } = await sendFile(tenant, file, options)
  if (status !== 202) throw new Error(`the file was answered with ${status}: ${text}`)
  return waitUntilImported(tenant, body)
}

/** Returns the rows of all pages. */
export async function listRows(
  tenant: TestTenant,
  { id }: { id: string },
  result?: string,
): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const search = new URLSearchParams({
      limit: '200',
      ...(cursor ? { cursor } : {}),
      ...(result ? { result } : {}),
    })
    const { body } = await tenant.call<{ data: ImportRow[]; nextCursor: string | null }>(
      'GET',
      `/leads/imports/${id}/rows?${search}`,
    )
    rows.push(...body.data)
    cursor = body.nextCursor
  }
  return rows
}

/** Encodes text as Excel does in western Europe: windows-1252 with CRLF. */
export function toWindows1252(text: string): Uint8Array<ArrayBuffer> {
  const high: Record<string, number> = { '€': 0x80, '–': 0x96, '…': 0x85 }
  return Uint8Array.from(
    [...text.replaceAll('\n', '\r\n')],
    character => high[character] ?? character.charCodeAt(0),
  )
}
